/** Updates the list of functions in docs/calculation.md from the registry: node scripts/calculation-docs.ts */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { SPECIAL_FORMS } from '#server/calculation/compile/special-forms.ts';
import { functionNames } from '#server/calculation/functions/registry.ts';
import { formatText } from './format-text.ts';

export const CALCULATION_PAGE = fileURLToPath(new URL('../docs/calculation.md', import.meta.url));
const HEADING = '## Functions';

/** Returns the current page with an up-to-date list of functions. */
export async function formattedCalculationPage(): Promise<string> {
  const page = await readFile(CALCULATION_PAGE, 'utf8');
  const names = [...new Set([...functionNames(), ...SPECIAL_FORMS.keys()])].sort();
  const list = `${names.length} functions of Excel are calculated by our own engine:\n\n${names.join(', ')}.\n`;
  const text = `${page.slice(0, page.indexOf(HEADING) + HEADING.length)}\n\n${list}`;
  return formatText(CALCULATION_PAGE, text);
}

if (import.meta.main) await writeFile(CALCULATION_PAGE, await formattedCalculationPage());
