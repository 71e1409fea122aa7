import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { CONFIG_PAGE, formattedConfigPage } from './config-docs.ts';

it('has docs/configuration.md as the schema of the settings says (node scripts/config-docs.ts writes it)', async () => {
  expect(await readFile(CONFIG_PAGE, 'utf8')).toBe(await formattedConfigPage());
});
