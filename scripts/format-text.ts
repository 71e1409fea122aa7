/** Formats generated text as `npm run check` requires. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, type FormatConfig } from 'oxfmt';

const SETTINGS = fileURLToPath(new URL('../.oxfmtrc.json', import.meta.url));

/** @param file file name, which determines the language */
export async function formatText(file: string, text: string): Promise<string> {
  const settings = JSON.parse(readFileSync(SETTINGS, 'utf8')) as FormatConfig;
  const { code, errors } = await format(file, text, settings);
  if (errors.length > 0)
    throw new Error(`${file} cannot be formatted: ${errors.map(({ message }) => message).join('; ')}`);
  return code;
}
