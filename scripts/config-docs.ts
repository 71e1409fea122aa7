/** Writes docs/configuration.md from the settings schema: node scripts/config-docs.ts */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { configPage } from '#server/config/config-page.ts';
import { formatText } from './format-text.ts';

export const CONFIG_PAGE = fileURLToPath(new URL('../docs/configuration.md', import.meta.url));

/** Returns the page as it should be in docs/. */
export async function formattedConfigPage(): Promise<string> {
  return formatText(CONFIG_PAGE, configPage());
}

if (import.meta.main) await writeFile(CONFIG_PAGE, await formattedConfigPage());
