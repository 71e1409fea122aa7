import { expect, it } from 'vitest';
import { CalculationError } from '#server/calculation/engine.ts';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { buildModel } from '#server/calculation/testing/build-model.ts';
import { evaluate } from '#server/calculation/testing/evaluate.ts';

const PTS = { name: 'Pts', sheet: 'Sheet1', block: 'A1:B4', columns: ['X', 'Y'] };
const CELLS = { A1: 'X', B1: 'Y', A2: 1, B2: 10, A3: 2, B3: 20, A4: 3, B4: 30 };

it.each([
  ['=ROWS(Pts)', 3],
  ['=COLUMNS(pts)', 2],
  ['=SUM(Pts)', 66],
  ['=INDEX(Pts,2,2)', 20],
  ['=VLOOKUP(3,Pts,2,FALSE)', 30],
  ['=ROWS(INDIRECT("Pts"))', 3],
  ['=SUM(Data)', 66],
])('%s reads the data of the table by its name alone', (formula, expected) => {
  expect(evaluate(formula, CELLS, { tables: [PTS], at: 'F9', names: { Data: 'Pts' } })).toBe(expected);
});

it('is calculated again when the table changes its cells and its rows', () => {
  const sheets = { Sheet1: { ...CELLS, F1: '=SUM(Pts)', F2: '=ROWS(Pts)' } };
  const model = createRunsheetEngine().load(buildModel({ sheets, tables: [PTS] }));
  model.recalculate();
  model.setCells([{ sheet: 0, row: 3, col: 1, value: 40 }]);
  model.recalculate();
  expect(model.value(0, 0, 5)).toBe(76);
  model.resizeTable('Pts', 5);
  model.setCells([{ sheet: 0, row: 5, col: 1, value: 4 }]);
  model.recalculate();
  expect([model.value(0, 0, 5), model.value(0, 1, 5)]).toEqual([80, 5]);
});

it.each([
  ['B3', '=SEQUENCE(2)', '#SPILL!'],
  ['B4', '=SEQUENCE(2)', '#SPILL!'],
  ['B4', '=SEQUENCE(1)', 1],
  ['B5', '=SEQUENCE(2)', [[1], [2]]],
])('has no array spill out of it: in %s %s is %s', (at, formula, expected) => {
  const { B4: _, ...cells } = CELLS;
  expect(evaluate(formula, cells, { tables: [PTS], at })).toEqual(expected);
});

it('leaves a function that has the name of a table a function', () => {
  const table = { ...PTS, name: 'Abs', block: 'A1:B4' };
  const sheets = { Sheet1: { ...CELLS, B2: '=ABS(-5)', F1: '=SUM(Abs)' } };
  const model = createRunsheetEngine().load(buildModel({ sheets, tables: [table] }));
  expect(() => model.recalculate()).not.toThrow(CalculationError);
  expect([model.value(0, 1, 1), model.value(0, 0, 5)]).toEqual([5, 61]);
});
