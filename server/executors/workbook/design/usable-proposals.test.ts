import { expect, test } from 'vitest';
import type { ProposedMark } from '#shared/contract/designs.ts';
import { buildWorkbook, type CellSpec } from '#test/support/build-workbook.ts';
import { createEngines } from '../engines.ts';
import { usableProposals } from './usable-proposals.ts';

const engines = createEngines(null);

const proposal = (Range: string, Name: string): ProposedMark => ({
  Role: 'Input',
  Name,
  Sheet: 'S',
  Range,
  Options: {},
  Preselected: true,
  Score: 0.8,
  Reason: { code: 'columnsRead' },
});

async function usable(
  cells: Record<string, CellSpec>,
  proposals: ProposedMark[],
  merges: string[] = [],
): Promise<string[]> {
  const bytes = await buildWorkbook({ sheets: [{ name: 'S', cells, merges }] });
  const found = await usableProposals(bytes, proposals, engines);
  return found.map(({ Range, Preselected, Options }) => `${Range} ${Preselected} ${Options.Headers ?? ''}`.trim());
}

test('a table whose headings cannot be read is preselected with the letters of its columns', async () => {
  const cells = { A1: 'Description', B1: 'Amount', A3: 'Prints', B3: 100, A4: 'Frames', B4: 80 };
  expect(await usable(cells, [proposal('A3:B4', 'Lines')])).toEqual(['A3:B4 true FALSE']);
});

test('only what the workbook refuses is offered', async () => {
  const cells = { A1: 'Rate', B1: 0.05, A2: 'Hours', B2: 8 };
  const proposals = [proposal('B1', 'Rate'), proposal('B1', 'Rate again'), proposal('B2', 'Hours')];
  expect(await usable(cells, proposals)).toEqual(['B1 false', 'B1 false', 'B2 true']);
});

test('so is what is merged with cells outside of it', async () => {
  const cells = { A1: 'Funnel', B2: 'Seen', B3: 3, B4: 4, A5: 5, C5: 'a' };
  expect(await usable(cells, [proposal('B3:B5', 'Funnel')], ['A5:B5'])).toEqual(['B3:B5 false']);
});
