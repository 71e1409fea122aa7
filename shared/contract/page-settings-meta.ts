/** In a separate file so that pages do not have to bundle the schema of the settings. */
export const PAGE_SETTINGS_META = 'runsheet-settings';
