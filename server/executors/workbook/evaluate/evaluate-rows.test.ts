/** Rows of values give the results of their runs. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { evaluable, expectRuns, randomRow, type Row } from '#test/support/evaluated-rows.ts';
import { seededRandom, anySeed } from '#test/support/seeded-random.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { createWorkbookExecutor } from '../workbook-executor.ts';

const executor = createWorkbookExecutor({ threads: 1, formThreads: 1 });
afterAll(() => executor.close());

const times = (count: number, row: (index: number) => Row): Row[] => Array.from({ length: count }, (_, i) => row(i));

test('rows of a sample give what their runs give', async () => {
  const bytes = readFileSync(new URL('../../../../samples/files/loan-schedule.xlsx', import.meta.url));
  const loan = await evaluable(executor, bytes);
  const random = seededRandom(anySeed());
  await expectRuns(
    loan,
    times(5, () => randomRow(loan.definition, random)),
  );
});

const sheet = (cells: NonNullable<WorkbookSpec['sheets'][number]['cells']>, more: object = {}) => ({
  name: 'S',
  cells,
  ...more,
});

const SPILL: WorkbookSpec = {
  sheets: [
    sheet({
      A1: 3,
      B1: { formula: '_xlfn.SEQUENCE(A1)', value: 1, array: 'B1:B3', dynamic: true },
      B2: 2,
      B3: 3,
      C1: { formula: 'SUM(_xlfn.ANCHORARRAY(B1))', value: 6 },
    }),
  ],
  names: { in_Count: 'S!$A$1', out_Sum: 'S!$C$1' },
};

/** Each result depends on the last one, as long as iteration has not ended. */
const ITERATION: WorkbookSpec = {
  sheets: [sheet({ A1: 10, B1: { formula: 'B1/2+A1', value: 20 } })],
  names: { in_X: 'S!$A$1', out_Y: 'S!$B$1' },
  calculation: 'iterate="1" iterateCount="5" iterateDelta="0.000001"',
};

/** The cell of the input B has a formula, which counts unless a value is given. */
const SUGGESTION: WorkbookSpec = {
  sheets: [sheet({ A1: 10, A2: { formula: 'A1*2', value: 20 }, B1: { formula: 'A1+A2', value: 30 } })],
  names: { in_A: 'S!$A$1', in_B: 'S!$A$2', out_Sum: 'S!$B$1' },
};

const CHECKED: WorkbookSpec = {
  sheets: [
    sheet({ A1: 1, B1: { formula: 'A1*2', value: 2 }, C1: { formula: 'A1<5', value: true } }),
    stepSheet([{ Step: 'Small', Action: 'Check', Cell: 'S!C1', Message: 'It is too large' }]),
  ],
  names: { in_A: 'S!$A$1', out_Double: 'S!$B$1' },
};

const TABLE: WorkbookSpec = {
  sheets: [
    sheet(
      {
        A1: 'Name',
        B1: 'Amount',
        A2: 'a',
        B2: 1,
        A3: 'b',
        B3: 2,
        D1: 2,
        E1: { formula: 'SUM(T[Amount])*D1', value: 6 },
      },
      { tables: [{ name: 'T', ref: 'A1:B3', columns: ['Name', 'Amount'] }] },
    ),
  ],
  names: { in_Lines: 'T[#All]', in_Factor: 'S!$D$1', out_Sum: 'S!$E$1' },
};

describe('results are those of runs', () => {
  test('where arrays spill', async () => {
    await expectRuns(
      await evaluable(executor, SPILL),
      [5, 1, 7, 2].map((Count) => ({ Count })),
    );
  });

  test('where circular references are calculated iteratively', async () => {
    await expectRuns(
      await evaluable(executor, ITERATION),
      [1, 2, 1, 50].map((X) => ({ X })),
    );
  });

  test('where a formula suggests a value, given in some rows only', async () => {
    await expectRuns(await evaluable(executor, SUGGESTION), [{ A: 1 }, { A: 2, B: 7 }, { A: 3 }, { A: 4, B: 7 }, {}]);
  });

  test('where a check refuses rows', async () => {
    const checked = await evaluable(executor, CHECKED);
    await expectRuns(checked, [{ A: 2 }, { A: 9 }, { A: 3 }]);
    const { errors, rows } = await checked.evaluate([{ A: 9 }]);
    expect(errors).toEqual([{ Row: 0, Code: 'checkFailed', Input: null, Message: 'It is too large' }]);
    expect(rows).toEqual([{ Double: 'null' }]);
  });

  test('with a longer table for all rows', async () => {
    const Lines = [
      ['x', 10],
      ['y', 20],
      ['z', 30],
    ];
    await expectRuns(await evaluable(executor, TABLE), [{ Factor: 1 }, { Factor: 3 }], { Lines });
  });

  test('after a row whose value no cell can hold', async () => {
    const spec: WorkbookSpec = {
      sheets: [sheet({ A1: 'x', B1: 1, B2: 2, C1: { formula: 'SUM(B1:B2)&A1', value: '3x' } })],
      names: { in_A: 'S!$A$1', in_Later: 'S!$B$1:$B$2', out_C: 'S!$C$1' },
    };
    await expectRuns(await evaluable(executor, spec), [{ A: 'y'.repeat(40_000) }, { A: 'z' }], { Later: [10, 20] });
  });

  test('where cells have errors', async () => {
    const spec: WorkbookSpec = {
      sheets: [sheet({ A1: 1, B1: { formula: '1/A1', value: 1 } })],
      names: { in_A: 'S!$A$1', out_B: 'S!$B$1' },
    };
    const divided = await evaluable(executor, spec);
    await expectRuns(divided, [{ A: 4 }, { A: 0 }, { A: -0 }]);
    expect((await divided.evaluate([{ A: 0 }])).rows).toEqual([{ B: '{"error":"#DIV/0!"}' }]);
  });

  test('where outputs depend on a circular reference', async () => {
    const spec: WorkbookSpec = {
      sheets: [
        sheet({
          A1: 1,
          B1: { formula: 'IF(A1>5,C1,A1)', value: 1 },
          C1: { formula: 'B1+1', value: 2 },
        }),
      ],
      names: { in_A: 'S!$A$1', out_C: 'S!$C$1' },
    };
    const circular = await evaluable(executor, spec);
    await expectRuns(circular, [{ A: 2 }, { A: 6 }, { A: 3 }]);
    const { errors } = await circular.evaluate([{ A: 6 }]);
    expect(errors).toMatchObject([{ Row: 0, Code: 'notCalculated', Input: null }]);
  });

  test('where a formula decides what a cell may hold', async () => {
    const spec: WorkbookSpec = {
      sheets: [
        sheet(
          { A1: 1, A2: 10, B1: { formula: 'A1+A2', value: 11 } },
          { validations: [{ ref: 'A1', type: 'whole', operator: 'lessThan', formula1: '$A$2', showError: true }] },
        ),
      ],
      names: { in_A: 'S!$A$1', in_Limit: 'S!$A$2', out_Sum: 'S!$B$1' },
    };
    const ruled = await evaluable(executor, spec);
    await expectRuns(ruled, [
      { A: 5, Limit: 6 },
      { A: 5, Limit: 4 },
      { A: 3, Limit: 4 },
    ]);
    const { errors } = await ruled.evaluate([{ A: 5, Limit: 4 }]);
    expect(errors).toMatchObject([{ Row: 0, Code: 'inputInvalid', Input: 'A' }]);
  });
});

test('random functions have another value in each row, as in each run', async () => {
  const spec: WorkbookSpec = {
    sheets: [sheet({ A1: 1, B1: { formula: 'RAND()*A1', value: 0.5 } })],
    names: { in_A: 'S!$A$1', out_B: 'S!$B$1' },
  };
  const { rows } = await (await evaluable(executor, spec)).evaluate(times(20, () => ({ A: 1 })));
  expect(new Set(rows.map(({ B }) => B)).size).toBe(20);
});

test('values of all rows are refused before anything is calculated, those of a row with that row', async () => {
  const spec: WorkbookSpec = {
    sheets: [sheet({ A1: 1, B1: { formula: 'A1*2', value: 2 } })],
    names: { in_A: 'S!$A$1', out_B: 'S!$B$1' },
  };
  const number = await evaluable(executor, spec);
  expect((await number.evaluate([{}], { A: 'x' })).refused).toEqual({ A: ['Value must be a number'] });
  const { rows, errors } = await number.evaluate([{ A: 2 }, { A: 'x' }, { A: 3 }]);
  expect(rows).toEqual([{ B: '4' }, { B: 'null' }, { B: '6' }]);
  expect(errors).toEqual([{ Row: 1, Code: 'inputInvalid', Input: 'A', Message: 'Value must be a number' }]);
});

test('a number that JSON cannot hold is refused', async () => {
  const spec: WorkbookSpec = {
    sheets: [sheet({ A1: 1, B1: { formula: 'A1', value: 1 } })],
    names: { in_A: 'S!$A$1', out_B: 'S!$B$1' },
  };
  const same = await evaluable(executor, spec);
  const { rows, errors } = await same.evaluate([{ A: JSON.parse('1e999') as number }, { A: 3 }]);
  expect(rows).toEqual([{ B: 'null' }, { B: '3' }]);
  expect(errors).toMatchObject([{ Row: 0, Code: 'inputInvalid', Input: 'A' }]);
});
