/** Formulas filled down a column give the same results as each of them alone in a workbook, where no index is used. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatCell } from '#shared/codecs/cell-address.ts';
import { rounds } from '#test/support/test-set.ts';
import type { CalculationModel } from './engine.ts';
import { createRunsheetEngine } from './runsheet-engine.ts';
import { buildModel } from './testing/build-model.ts';
import type { TestCell } from './testing/build-model.ts';
import { cellError } from './values/cell-value.ts';
import type { CellValue } from './values/cell-value.ts';

/**
 * '#' is the row, '%' the next one; braces mark an array formula. A contains keys, B amounts, C days, D small numbers,
 * each with occasional other values; E is -C.
 */
const FORMULAS = [
  '=SUMIF(B$1:B$150,"<="&B#)',
  '=SUMIF(B$1:B$150,">"&B#,D$1:D$150)',
  '=AVERAGEIF(B$1:B$150,"<"&D#,C$1:C$150)',
  '=SUMIFS(B$1:B$150,C$1:C$150,">="&C#-30,C$1:C$150,"<="&C#)',
  '=SUMIFS(B$1:B$150,A$1:A$150,A#,C$1:C$150,">="&C#-30,C$1:C$150,"<"&C#)',
  '=SUMIFS(B$1:B$150,D$1:D$150,D#,B$1:B$150,">"&C#/9)',
  '=COUNTIFS(A$1:A$150,A#,D$1:D$150,">"&D#)',
  '=COUNTIFS(C$1:C$150,"<="&C#,D$1:D$150,">"&D#)',
  '=SUMIFS(B$1:B$150,C$1:C$150,"<="&C#,D$1:D$150,">"&D#)',
  '=SUMIFS(B$1:B$150,C$1:C$150,"<="&C#,D$1:D$150,">"&D#,A$1:A$150,"<>"&A#)',
  '=AVERAGEIFS(B:B,A:A,"k*",C:C,">"&C#)',
  '=MAXIFS(B$1:B$150,C$1:C$150,"<="&C#)+MINIFS(B$1:B$150,C$1:C$150,">"&C#)',
  '=MAXIFS(C$1:C$150,A$1:A$150,A#,C$1:C$150,"<"&C#)',
  '=MINIFS(B$1:B$150,D$1:D$150,">"&D#,C$1:C$150,">="&C#-9,C$1:C$150,"<"&C#)',
  '=SUMIFS(B$1:C$150,C$1:D$150,">"&D#)',
  '=LOOKUP(2,1/(A$1:A$150=A#),B$1:B$150)',
  '=LOOKUP(2,1/(A$1:A#=A#),ROW(A$1:A#))',
  '=LOOKUP(2,1/(D#<>D$1:D$150),B$1:B$150)',
  '=SUM(FILTER(B$1:B$150,A$1:A$150=A#))',
  '=COUNTA(UNIQUE(FILTER(B$1:D$150,(A$1:A$150=A#)*(D$1:D$150=D#),"none")))',
  '{=IFERROR(INDEX(B$1:B$150,SMALL(IF(A$1:A$150=A#,ROW(A$1:A$150)-ROW(A$1)+1),2)),"none")}',
  '=IFERROR(AGGREGATE(15,6,(ROW(A$1:A$150)-1)/(A$1:A$150=A#)/(D$1:D$150=D#),2),"none")',
  '{=TEXTJOIN(",",TRUE,IF(A$1:A$150=A#,D$1:D$150,""))}',
  '{=MAX(IF(A$1:A$150=A#,B$1:B$150))+COUNT(IF(D$1:D$150=D#,B$1:B$150,"no"))+SUM(IF(A$1:A$150=A#,1,0))}',
  '{=AVERAGE(IF(D$1:D$150=D#,IF(A$1:A$150=A#,B$1:B$150)))}',
  '{=MATCH(1,(A$1:A$150=A#)*(D$1:D$150=D#),0)}',
  '{=MATCH(1,IF(A$1:A$150="k1",D$1:D$150-D#))+MATCH(TRUE,A$1:A$150=A#,0)}',
  '=XLOOKUP(1,(A$1:A$150=A#)*(D$1:D$150=D#),B$1:B$150,"none",0,-1)',
  '=SUMPRODUCT(--(A$1:A$150=A#),D$1:D$150)+SUMPRODUCT((A$1:A$150=A#)*(D$1:D$150=D#))',
  '{=SUM((A$1:A$150=A#)*B$1:B$150)}',
  '{=SUM(IF(A#=A$1:A$150,C$1:C$150-7,B$1:B$150))+COUNT(1/(A$1:A$150=A#))}',
  '{=STDEV(IF(A$1:A$150=A#,C$1:C$150))-(A$1:A$150=A#)+SUM(-(D$1:D$150=D#))}',
  '=SUMPRODUCT((C$1:C$150>=C#-30)*(C$1:C$150<=C#)*B$1:B$150)+SUMPRODUCT(--(C$1:C$150>C#))',
  '=SUMPRODUCT((A$1:A$150=A#)*(C$1:C$150<C#),C$1:C$150)+SUMPRODUCT((A$1:A$150=A#)*(D$1:D$150<=D#))',
  '=SUMPRODUCT((E$1:E$150>-C#)*(C$1:C$150<99)*C$1:C$150*E$1:E$150)',
  '=LOOKUP(2,1/(B$1:B#<>""),B$1:B#)&LOOKUP(2,1/(""<>A$1:A$150),A$1:A$150)&COUNT(1/(D$1:D$150=""))',
  '=MATCH(2,1/(A$1:A$150<>A#))&LOOKUP(1,1/(D$1:D$150<>D#),C$1:C$150)&SUMPRODUCT((A$1:A#<>"")*1)',
  '=SUBTOTAL(9,B$1:B#)+SUBTOTAL(3,A$1:A#)+SUBTOTAL(104,B#:B$150)',
  '=IFERROR(AGGREGATE(14,6,B$1:B#,2),0)+IFERROR(AGGREGATE(1,4,B$1:B$150),0)+AGGREGATE(5,6,D#:D$150)',
  '=AGGREGATE(15,6,B$1:B$150,ROW())+AGGREGATE(16,6,B$1:B$150,0.3)+AGGREGATE(3,5,A$1:A#)',
  '=MEDIAN(B$1:B#)+PERCENTILE(B$1:B#,0.3)+SMALL(B$1:B$150,ROW())+MEDIAN(B#:B$150)',
  '=FORECAST(C#,B$1:B$150,C$1:C$150)+CORREL(B$1:B$150,C$1:C$150)+SLOPE(B$1:B#,C$1:C#)+SLOPE(C$1:C$150,B$1:B$150)',
  '=TREND(C$1:C$150,D$1:D$150,D#)+GROWTH(C$2:C$150,,5)',
  '=XLOOKUP(B#+0.005,B$1:B$150,C$1:C$150,"none",-1)&XLOOKUP(B#-0.005,B$1:B$150,A$1:A$150,"none",1,-1)',
  '=XMATCH(B#&"x",A$1:A$150,1)&XMATCH(9999,B$1:B$150,1)&XMATCH("a",B$1:B$150,-1)',
  '=MATCH(-C#,E$1:E$150,-1)&MATCH(0.5-C#,E$1:E$150,-1)&MATCH(D#,D$1:D$150,-1)',
  '=SUMIF(A$1:A$150,"<>"&A#,B$1:B$150)+COUNTIF(A$1:A$150,LEFT(A#)&"*")+COUNTIF(A:A,"<>"&A#)',
  '=MAXIFS(B$1:B$150,A$1:A$150,"*"&RIGHT(A#))+AVERAGEIF(A$1:A$150,"<>k1",C$1:C$150)',
  '=INDEX(SORT(FILTER(C$1:C$150,A$1:A$150<>A#)),2)',
  '{=MAX(IF(D$1:D$150=D#,B$1:B$150))+SUM((D#=D$1:D$150)*C$1:C$150)+COUNT(IF(D$1:D$150=D#,IF(A$1:A$150=A#,B$1:B$150)))}',
  '{=MATCH(1,(D$1:D$150=D#)*(A$1:A$150=A#),0)+SUM((A$1:A$150=A#)*(D$1:D$150=D#)*D$1:D$150)}',
  '=SUMPRODUCT((D$1:D$150=D#)*(D$1:D$150<>0))+SUM(IF(D$1:D$150<>D#,ROW(D$1:D$150)))+LOOKUP(2,1/(D$1:D#=D#),ROW(D$1:D#))',
  '=SUMIFS(C$1:C$150,C$1:C$150,"<="&C#,D$1:D$150,">"&D#)+MINIFS(B:B,C:C,"<="&C#,D:D,">"&D#)',
  '=STDEV(B$1:B#)+VARP(B$1:B#)+DEVSQ(D$1:D#)',
  '=IFERROR(VAR(D$1:D#),-1)+IFERROR(STDEVP(B#:B$150),-1)',
  '=SUMPRODUCT(B$1:B#,D$1:D#)',
  '=SUMPRODUCT(B$1:B#,C$1:C#,D$1:D#)+SUMPRODUCT(B#:B$150,D#:D$150)+SUMPRODUCT(B$1:B#,D$2:D%)',
];
const ROWS = 150;
const COLUMNS = 'ABCDE';

const column = (value: fc.Arbitrary<CellValue>): fc.Arbitrary<CellValue[]> =>
  fc.array(value, { minLength: ROWS, maxLength: ROWS });
const amount = fc.integer({ min: -2000, max: 9000 }).map((cents) => cents / 100);
const odd = fc.constantFrom<CellValue>('text', null, true, '4', '', 2.5);
const mostly = (value: fc.Arbitrary<CellValue>): fc.Arbitrary<CellValue> =>
  fc.oneof({ arbitrary: value, weight: 30 }, { arbitrary: odd, weight: 1 });
const key = fc.constantFrom<CellValue>('k1', 'K1', 'k2', 'k30', 'm*', 1, 2, '1', 0, '', null, true);
const days = fc
  .tuple(fc.array(fc.nat(9), { minLength: ROWS, maxLength: ROWS }), fc.boolean())
  .map(([steps, isOrdered]) => {
    let day = 0;
    return steps.map((step): CellValue => (isOrdered ? (day += step >> 2) : step * 17));
  });
const small = fc.integer({ min: 0, max: 6 });
const columns = fc
  .tuple(column(key), column(fc.oneof(mostly(amount))), days, column(fc.oneof(mostly(small))))
  .map(([a, b, c, d]) => [a, b, c, d, c.map((day) => -(day as number))]);
const edit = fc.tuple(fc.nat(ROWS - 1), fc.nat(3), fc.oneof(amount, key, fc.constant(cellError('#N/A')!)));

const cellOf = (formula: string, row: number, address: string): TestCell => {
  const text = formula
    .replace(/^\{(.*)\}$/, '$1')
    .replaceAll('#', String(row + 1))
    .replaceAll('%', String(row + 2));
  return formula.startsWith('{') ? { formula: text, kind: 'array', block: address } : text;
};

function load(
  values: readonly (readonly CellValue[])[],
  rows: readonly number[],
  formulas: readonly string[],
): CalculationModel {
  const cells: Record<string, TestCell> = {};
  values.forEach((own, col) => {
    own.forEach((value, row) => {
      if (value !== null) cells[formatCell(row, col)] = { constant: value };
    });
  });
  for (const row of rows) {
    formulas.forEach((formula, at) => {
      const address = formatCell(row, COLUMNS.length + 1 + at);
      cells[address] = cellOf(formula, row, address);
    });
  }
  const model = createRunsheetEngine().load(buildModel({ sheets: { Sheet1: cells } }));
  model.recalculate();
  return model;
}

const all = Array.from({ length: ROWS }, (_, row) => row);
const shown = (value: CellValue): unknown => (typeof value === 'object' && value ? value.code : value);

/** Each run uses every STEP-th formula. */
const STEP = 4;

it('come to the same when filled down, also after edits and in copies', { timeout: 180_000 }, () => {
  fc.assert(
    fc.property(
      columns,
      fc.array(edit, { maxLength: 3 }),
      fc.nat(ROWS - 1),
      fc.nat(STEP - 1),
      (values, edits, row, first) => {
        const formulas = FORMULAS.filter((_, at) => at % STEP === first);
        const base = load(values, all, formulas);
        const model = base.copy();
        const changed = values.map((own) => own.slice());
        for (const [at, col, value] of edits) {
          changed[col]![at] = value;
          model.setCells([{ sheet: 0, row: at, col, value }]);
          model.recalculate();
        }
        formulas.forEach((formula, at) => {
          const result = (own: CalculationModel, col: number): unknown[] => [
            formula,
            row,
            shown(own.value(0, row, col)),
          ];
          const alone = (own: readonly (readonly CellValue[])[]): unknown[] =>
            result(load(own, [row], [formula]), COLUMNS.length + 1);
          expect(result(model, COLUMNS.length + 1 + at)).toEqual(alone(changed));
          expect(result(base, COLUMNS.length + 1 + at)).toEqual(alone(values));
        });
      },
    ),
    { numRuns: rounds(8, 20), endOnFailure: true },
  );
});
