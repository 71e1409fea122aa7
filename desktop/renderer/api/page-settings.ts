import { PASSWORD_LIMITS } from '#shared/rules/password-limits.ts';
import { PAGE_SETTINGS_META } from '#shared/contract/page-settings-meta.ts';
import type { PageSettings } from '#shared/contract/settings.ts';

const DEFAULTS: PageSettings = {
  title: 'Runsheet',
  logo1: '',
  logo2: '',
  versionOnLogo: 0,
  version: '',
  betaUrl: '',
  passwordMinLength: PASSWORD_LIMITS.minimum,
  passwordMaxLength: PASSWORD_LIMITS.maximum,
  passwordComposition: true,
};

/** Name and appearance of this installation, embedded in the page by the server. */
export const pageSettings: PageSettings = readPageSettings();

/** Returns the defaults if the page comes from a development server, which embeds no settings. */
function readPageSettings(): PageSettings {
  const text = document.querySelector(`meta[name="${PAGE_SETTINGS_META}"]`)?.getAttribute('content');
  return text ? { ...DEFAULTS, ...(JSON.parse(text) as PageSettings) } : DEFAULTS;
}
