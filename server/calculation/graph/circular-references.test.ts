import { expect, it } from 'vitest';
import { formatCell } from '#shared/codecs/cell-address.ts';
import { CalculationError } from '../engine.ts';
import { compareWithSaved } from '../fidelity.ts';
import { createRunsheetEngine } from '../runsheet-engine.ts';
import { buildModel } from '../testing/build-model.ts';
import type { TestCell } from '../testing/build-model.ts';

const BESIDE: Record<string, TestCell> = { A4: 1, B3: 2, B4: 5, E9: 3 };

/** Returns the values of A3 and of a cell that reads it, and the cells reported as circular. */
function calculated(formula: string, kind: 'normal' | 'dynamicArray' = 'normal'): unknown {
  const cells = { ...BESIDE, A3: { formula, kind }, G1: '=A3+1' };
  const model = createRunsheetEngine().load(buildModel({ sheets: { S: cells } }));
  let message = '';
  try {
    model.recalculate();
  } catch (error) {
    if (!(error instanceof CalculationError)) throw error;
    message = error.message;
  }
  const circular = model.nonConverged!().map(({ row, col }) => formatCell(row, col));
  return { value: model.value(0, 2, 0), circular, message };
}

const CIRCULAR = { value: 0, circular: ['A3'], message: 'Formulas depend on themselves: S!A3' };

it.each([
  ['=A3', 'normal'],
  ['=A3:A9', 'normal'],
  ['=A3:E9', 'normal'],
  ['=A1:E9*1', 'normal'],
  ['=ABS(A3:E9)', 'normal'],
  ['=OFFSET(A3,0,0,2,2)', 'normal'],
  ['=_xlfn.SINGLE(A3:E9)', 'dynamicArray'],
] as const)(
  'a formula is a circular reference where its cell is among those it wants one value of: %s',
  (formula, kind) => {
    expect(calculated(formula, kind)).toEqual(CIRCULAR);
  },
);

it.each([
  ['=A3:E9', 'dynamicArray'],
  ['=SUM(A3:E9)', 'normal'],
  ['=SUM(A3:E9)', 'dynamicArray'],
] as const)('and where it calculates with all of them: %s as %s', (formula, kind) => {
  expect(calculated(formula, kind)).toMatchObject({ circular: ['A3'], message: CIRCULAR.message });
});

it.each([
  ['=A4:E9', { code: '#VALUE!' }],
  ['=ROWS(A1:E9)', 9],
  ['=IF(FALSE,A3:E9,4)', 4],
])('and not where it does not read its cell: %s', (formula, value) => {
  expect(calculated(formula)).toMatchObject({ value, circular: [], message: '' });
});

it('what is calculated as if it stood in a cell is no circular reference there', () => {
  // Criteria that are formulas are calculated for each record.
  const records = { A1: 'n', A2: 1, A3: 2 };
  const criteria = { D1: 'check', D2: '=ISERROR(_xlfn.SINGLE($D$3:$E$5))' };
  const cells = { ...records, ...criteria, F1: '=DSUM(A1:A3,"n",D1:D2)' };
  const model = createRunsheetEngine().load(buildModel({ sheets: { S: cells } }));
  model.recalculate();
  expect(model.value(0, 0, 5)).toBe(3);
});

it('the comparison with saved values leaves it out, and what depends on it', () => {
  const cells = {
    ...BESIDE,
    A3: { formula: '=A3:E9', saved: 0 },
    G1: { formula: '=A3+1', saved: 1 },
    G2: { formula: '=1+1', saved: 2 },
  };
  expect(compareWithSaved(buildModel({ sheets: { S: cells } }), createRunsheetEngine())).toMatchObject({
    formulas: 1,
    equal: 1,
    notComparedReasons: [{ reason: 'CircularReference', formulas: 2 }],
  });
});
