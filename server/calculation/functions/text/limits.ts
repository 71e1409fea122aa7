/** The longest text a cell holds. */
export const MAX_TEXT = 32_767;
