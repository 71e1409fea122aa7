import { expect } from 'vitest';
import { input } from '#test/support/portal.ts';
import { EMPTY_DEFINITION } from '#test/support/runs.ts';
import { test as base } from '#test/support/fixtures/run-portal.ts';

/** Together they are longer than what is parsed outside a thread. */
const ROWS = 50_000;
const TEXT = 'some forty characters of a text in a cell';

const test = base.extend('start', { scope: 'file' }, async ({ portal }) => {
  const start = (rows: unknown[][]) =>
    portal.start({ ActivityId, Inputs: [{ ActivityParameterId: tableId, Value: JSON.stringify(rows) }] });

  const table = input('Table', {
    RangeType: 'RangeWithColumnHeaders',
    ColumnHeaderValues: ['Number', 'Text'],
    CellUsages: ['Number', 'Text'],
    Specifications: ['Required', 'Required'],
    Blanks: [false, false],
    Pickers: [
      { Type: 'None', PreventOtherValues: false },
      { Type: 'None', PreventOtherValues: false },
    ],
    MaxSize: [null, null],
    HeaderRows: 1,
    Height: 2,
    Width: 2,
    RowsVariable: true,
    Formats: ['General', 'General'],
  });

  const ActivityId = await portal.publish({ definition: { ...EMPTY_DEFINITION, inputs: [table] } });
  const tableId = (await portal.app.database.knex('ActivityParameters').where({ ActivityId }).first('Id')).Id;
  return start;
});

test('a start keeps tens of thousands of rows as they were sent', async ({ portal, start }) => {
  const rows = Array.from({ length: ROWS }, (_, row) => [row, `${TEXT} ${row}`]);
  const { status, body } = await start(rows);
  expect(status).toBe(200);
  const stored = await portal.app.database.knex('RunInputs').where({ ActivityRunId: body.result.Id }).first();
  expect(stored.Rows).toBe(ROWS);
  expect(JSON.parse(stored.Value)).toEqual(rows);
});

test('a problem in one of tens of thousands of rows is reported as in a short table', async ({ start }) => {
  const wrong: unknown[][] = [
    [1, TEXT],
    ['no number', TEXT],
  ];
  const long = Array.from({ length: ROWS }, (_, row) => wrong[row] ?? [row, TEXT]);
  const [short, longAnswer] = [await start(wrong), await start(long)];
  expect([short.status, longAnswer.status]).toEqual([400, 400]);
  expect(Object.keys(short.body.modelState)).toEqual(['Table']);
  expect(longAnswer.body.modelState).toEqual(short.body.modelState);
});
