/**
 * Layouts of a version: created when a table needs room, and cached for the next form or run that needs the same one.
 */
import { expect, it } from 'vitest';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import { createWarmWorkbooks } from '#server/executors/workbook/run/warm-workbooks.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';

const DEFINITION: ActivityDefinition = {
  inputs: [],
  outputs: [],
  steps: [],
  display: { RunActivityTitle: '', StartDisplayName: '', Classifications: [] },
};

it('are made for tables without room alone, two of them are kept, and an impossible one is refused', async () => {
  const bytes = await buildWorkbook({
    sheets: [
      {
        name: 'S',
        cells: { A1: 'a', A2: 1, A4: 'below', C1: 'b', C2: 2 },
        tables: [
          { name: 'Low', ref: 'A1:A2', columns: ['a'] },
          { name: 'Free', ref: 'C1:C2', columns: ['b'] },
        ],
      },
    ],
  });
  const warm = createWarmWorkbooks(() => createRunsheetEngine(), { count: 1, bytes: 2 ** 30 });
  const version = await warm.get('v', DEFINITION, () => Promise.resolve(bytes));
  const layoutFor = (dataRows: number, free = 9) =>
    version.makeSpace([
      { table: 'Low', dataRows },
      { table: 'Free', dataRows: free },
    ]);
  const alone = version.size;
  for (const dataRows of [1, 2]) expect(layoutFor(dataRows)).toBe(version);
  const three = layoutFor(3);
  expect(three.insertions).toEqual([{ sheet: 0, row: 2, count: 2, left: 0, right: 0 }]);
  expect([layoutFor(3), layoutFor(4), layoutFor(3)].map((layout) => layout === three)).toEqual([true, false, true]);
  expect(version.size).toBe(alone * 3);
  layoutFor(5);
  layoutFor(6);
  expect(layoutFor(3)).not.toBe(three);
  expect(version.size).toBe(alone * 3);
  expect(() => layoutFor(1_048_574)).toThrow(
    "Table 'Low' has no room to grow: cell A4 of sheet 'S' is in the way and cannot be moved down, because it would be pushed off the sheet.",
  );
});
