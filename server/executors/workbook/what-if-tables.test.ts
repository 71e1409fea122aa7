import { describe, expect, it } from 'vitest';
import type { CellSpec } from '#test/support/build-workbook.ts';
import { cellsOf, value, valueOf, workbookExecutors } from '#test/support/workbook-executors.ts';
import { openPackage } from './package.ts';

const { activity } = workbookExecutors();

/** B11:B13 substitutes the values of A11:A13 for B1; the result is B2. */
const CELLS: Record<string, CellSpec> = {
  B1: 2,
  B2: { formula: 'B1*C1', value: 20 },
  B10: { formula: 'B2', value: 20 },
  A11: 3,
  A12: 4,
  A13: 5,
  B11: { dataTable: 'ref="B11:B13" dt2D="0" dtr="0" r1="B1"', value: 30, style: 1 },
  B12: { value: 40, style: 1 },
  B13: 50,
  C1: 10,
  D1: { formula: 'SUM(B11:B13)', value: 120 },
};

describe('a what-if table', () => {
  it('has its new results in the workbook that a run hands back', async () => {
    const made = await activity({
      sheets: [{ name: 'S', cells: CELLS }],
      names: { in_Factor: 'S!$C$1', out_Sum: 'S!$D$1' },
      formats: ['0.00'],
    });
    const outcome = await made.run([value('Factor', 100)]);
    expect(valueOf(outcome, 'Sum')).toBe(1200);
    const positions: [number, number][] = [
      [10, 1],
      [11, 1],
      [12, 1],
      [0, 3],
    ];
    expect(await cellsOf(outcome, 0, positions)).toEqual([300, 400, 500, 1200]);
    const part = (await openPackage(outcome.files[0]!.bytes)).part('xl/worksheets/sheet1.xml');
    const xml = new TextDecoder().decode(part);
    expect(xml).toContain('<c r="B11" s="1"><f t="dataTable" ref="B11:B13" dt2D="0" dtr="0" r1="B1"/><v>300</v></c>');
    expect(xml).toContain('<c r="B12" s="1"><v>400</v></c>');
    expect(made.log.filter(({ Category }) => Category !== 1)).toEqual([]);
  });

  const large = { ...CELLS, B11: { dataTable: 'ref="B11:B20011" dt2D="0" dtr="0" r1="B1"', value: 30 } };
  const spec = { sheets: [{ name: 'S', cells: large }], formats: ['0.00'] };

  it('that is too large to calculate keeps its saved results, and the log says so', async () => {
    const made = await activity({ ...spec, names: { in_Factor: 'S!$C$1', out_Result: 'S!$B$2' } });
    const outcome = await made.run([value('Factor', 100)]);
    expect(
      await cellsOf(outcome, 0, [
        [10, 1],
        [11, 1],
      ]),
    ).toEqual([30, 40]);
    expect(made.log).toMatchObject([
      {
        Message: "The what-if table S!B11:B20011 keeps its saved results in the workbook: it can't be calculated here.",
      },
    ]);
  });
});
