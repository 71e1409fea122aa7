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

/** What this installation is called and looks like, as the server wrote it into the page. */
export const pageSettings: PageSettings = readPageSettings();

/** The defaults where the page came from a development server, which knows nothing of it. */
function readPageSettings(): PageSettings {
  const text = document.querySelector(`meta[name="${PAGE_SETTINGS_META}"]`)?.getAttribute('content');
  return text ? { ...DEFAULTS, ...(JSON.parse(text) as PageSettings) } : DEFAULTS;
}
