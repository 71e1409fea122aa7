/** Writes docs/configuration.md from the schema of the settings: node scripts/config-docs.ts */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { configPage } from '#server/config/config-page.ts';

export const CONFIG_PAGE = fileURLToPath(new URL('../docs/configuration.md', import.meta.url));

/** The page as it should lie in docs/. */
export async function formattedConfigPage(): Promise<string> {
  return format(configPage(), { ...(await resolveConfig(CONFIG_PAGE)), filepath: CONFIG_PAGE });
}

if (import.meta.main) await writeFile(CONFIG_PAGE, await formattedConfigPage());
