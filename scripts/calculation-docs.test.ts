import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { CALCULATION_PAGE, formattedCalculationPage } from './calculation-docs.ts';

it('lists in docs/calculation.md the functions there are (node scripts/calculation-docs.ts writes them)', async () => {
  expect(await readFile(CALCULATION_PAGE, 'utf8')).toBe(await formattedCalculationPage());
});
