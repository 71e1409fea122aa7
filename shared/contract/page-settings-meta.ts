/** In a file of its own so that pages do not have to bundle the schema of the settings. */
export const PAGE_SETTINGS_META = 'runsheet-settings';
