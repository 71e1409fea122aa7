/** Apart from the schema of what stands in it, which pages need not carry. */
export const PAGE_SETTINGS_META = 'runsheet-settings';
