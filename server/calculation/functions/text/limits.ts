/** Length limit of a text in a cell. */
export const MAX_TEXT = 32_767;
