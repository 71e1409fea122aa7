/** Tests starts with more rows than a table has room for, with a real database and the real executor. */
import { expect } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { test } from '#test/support/fixtures/form-portal.ts';
import { inputOf, value } from '#test/support/form-portal.ts';

/** Two rows, with room for a third above the note. Beside them is another table, which must stay intact. */
const BOOK: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: { formula: 'SUM(Deals[Amount])', value: 150 },
        D1: 'Deal',
        E1: 'Amount',
        D2: 'a',
        E2: 120,
        D3: 'b',
        E3: 30,
        D5: 'as of today',
        G2: 'Code',
        G3: 'x',
        G4: 'y',
      },
      tables: [
        { name: 'Deals', ref: 'D1:E3', columns: ['Deal', 'Amount'] },
        { name: 'Codes', ref: 'G2:G4', columns: ['Code'] },
      ],
    },
  ],
  names: { in_Deals: 'Deals', out_Sum: 'S!$A$1' },
};

const rows = (count: number): [string, number][] => Array.from({ length: count }, (_, at) => [`deal ${at}`, 1]);

test('a table takes more rows than fit above what stands below it, which moves down', async ({ portal }) => {
  const activity = await portal.publish(
    { ...BOOK, names: { in_Deals: 'Deals', out_Sum: 'S!$A$1', out_Note: 'S!$D$5' } },
    'Growing',
  );
  expect(inputOf(activity, 'Deals').Info).toMatchObject({ RowsVariable: true, MaxRows: 1_048_573 });
  const { Id } = (
    await portal.call('POST', 'start', {
      ActivityId: activity.Id,
      ActivityVersion: activity.Version,
      Inputs: [value(activity, 'Deals', rows(40))],
    })
  ).body.result;
  const run = await portal.ended(Id);
  expect([run.Status, run.Outputs.map(({ Value }) => Value)]).toEqual(['Succeeded', ['40', '"as of today"']]);
});

test('a table takes only the rows that fit where what stands below it cannot move, and says before the start how many', async ({
  portal,
}) => {
  const [sheet] = BOOK.sheets;
  const activity = await portal.publish({ ...BOOK, sheets: [{ ...sheet!, merges: ['D5:G5'] }] }, 'Room');
  expect(inputOf(activity, 'Deals').Info).toMatchObject({
    RowsVariable: true,
    MaxRows: 3,
    RowsEnd: "cell D5 of sheet 'S'",
  });
  const start = (count: number) =>
    portal.call('POST', 'start', {
      ActivityId: activity.Id,
      ActivityVersion: activity.Version,
      Inputs: [value(activity, 'Deals', rows(count))],
    });
  const refused = await start(4);
  expect([refused.status, refused.body.modelState]).toEqual([
    400,
    { Deals: ["Only 3 of 4 rows fit above cell D5 of sheet 'S'"] },
  ]);
  const { Id } = (await start(3)).body.result;
  const run = await portal.ended(Id);
  expect([run.Status, run.Outputs[0]!.Value]).toEqual(['Succeeded', '3']);
});

test('a table with nothing below it takes as many rows as its sheet has, and says before the start how many', async ({
  portal,
}) => {
  const [sheet] = BOOK.sheets;
  const cells = Object.fromEntries(Object.entries(sheet!.cells!).filter(([address]) => address !== 'D5'));
  const activity = await portal.publish({ ...BOOK, sheets: [{ ...sheet!, cells }] }, 'Whole sheet');
  const refused = await portal.call('POST', 'start', {
    ActivityId: activity.Id,
    ActivityVersion: activity.Version,
    Inputs: [value(activity, 'Deals', rows(1_048_576))],
  });
  expect([refused.status, refused.body.modelState]).toEqual([
    400,
    { Deals: ["Only 1048575 of 1048576 rows fit above the end of sheet 'S'"] },
  ]);
});
