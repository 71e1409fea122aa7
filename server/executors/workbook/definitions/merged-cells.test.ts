import { describe, expect, it } from 'vitest';
import type { CellSpec, SheetSpec } from '#test/support/build-workbook.ts';
import { input, output, portal, read } from '#test/support/read-definitions.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { columnLetters } from '#shared/codecs/cell-address.ts';

const cellsOf = (rows: CellSpec[][]): Record<string, CellSpec> => portal('T', rows).cells;

/** A quote with a description merged over C:F in each row, with or without merged headings. */
const quote = (headingMerge: string[] = ['C4:F4']): Partial<SheetSpec> => ({
  cells: {
    B4: 'Qty',
    C4: 'Description',
    G4: 'Price',
    B5: 2,
    C5: 'Bolt',
    G5: 1.5,
    B6: 3,
    C6: 'Nut',
    G6: 0.5,
  },
  merges: [...headingMerge, 'C5:F5', 'C6:F6', 'A1:G1'],
});

describe('cells that are merged in the same way in every row', () => {
  it.each<[string, string, Partial<SheetSpec>]>([
    ['with headings in the block', 'S!$B$4:$G$6', quote()],
    ['with headings that are not merged', 'S!$B$4:$G$6', quote([])],
    ['below their headings', 'S!$B$5:$G$6', quote()],
    ['below headings that are not merged', 'S!$B$5:$G$6', quote([])],
  ])('are one column %s', async (_, ref, sheet) => {
    const { Info, location } = await input(ref, sheet);
    expect(Info).toMatchObject({
      RangeType: 'RangeWithColumnHeaders',
      ColumnHeaderValues: ['Qty', 'Description', 'Price'],
      CellUsages: ['Number', 'Text', 'Number'],
      Height: 2,
      Width: 3,
      DefaultValue: '[[2,"Bolt",1.5],[3,"Nut",0.5]]',
    });
    expect(location).toEqual({
      sheet: 0,
      block: { top: 4, left: 1, bottom: 5, right: 6 },
      anchors: { rows: null, cols: [0, 1, 5] },
    });
    const { Info: out, location: read } = await output(ref, sheet);
    expect(out.ColumnHeaderValues).toEqual(['Qty', 'Description', 'Price']);
    expect(read).toEqual(location);
  });

  it.each<[string, string, string[], Record<string, unknown>]>([
    ['a list', 'S!$C$1:$F$3', ['C1:F1', 'C2:F2', 'C3:F3'], { RangeType: 'SingleColumnOfSimilarValues', Height: 3 }],
    [
      'a list whose name covers their first cells',
      'S!$C$1:$C$3',
      ['C1:F1', 'C2:F2', 'C3:F3'],
      { RangeType: 'SingleColumnOfSimilarValues', Height: 3, Width: 1 },
    ],
    ['a list of one row', 'S!$A$2:$D$2', ['A2:B2', 'C2:D2'], { RangeType: 'SingleRowOfSimilarValues', Width: 2 }],
    [
      'a list of merged rows',
      'S!$A$1:$A$4',
      ['A1:A2', 'A3:A4'],
      { RangeType: 'SingleColumnOfSimilarValues', Height: 2 },
    ],
    [
      'a matrix merged in both directions',
      'S!$A$1:$D$4',
      ['A1:B2', 'C1:D2', 'A3:B4', 'C3:D4'],
      { RangeType: 'MatrixWithoutHeaders', Height: 2, Width: 2 },
    ],
    ['one value', 'S!$A$1:$B$1', ['A1:D3'], { RangeType: 'SingleCell' }],
    ['one value whose name covers a hidden cell', 'S!$C$2', ['A1:D3'], { RangeType: 'SingleCell' }],
  ])('make %s', async (_, ref, merges, info) => {
    const { Info, location } = await input(ref, { merges });
    expect(Info).toMatchObject(info);
    if (Info.RangeType === 'SingleCell') expect(location.block).toEqual({ top: 0, left: 0, bottom: 0, right: 0 });
  });

  it('keep the rules of data validations in their columns', async () => {
    const validations = [{ ref: 'G5:G6', type: 'decimal', operator: 'greaterThan', formula1: '0', showError: true }];
    const { Info } = await input('S!$B$5:$G$6', { ...quote(), validations });
    expect(Info.Rules).toMatchObject([{ Top: 0, Bottom: 1, Left: 2, Right: 2 }]);
  });

  it.each<[string, string, string[], string, RegExp]>([
    ['another width', 'S!$B$4:$G$6', ['C4:F4', 'C5:F5', 'C6:E6'], 'C6', /C6:E6 is not merged in the same way as C4:F4/],
    ['a row that is not merged', 'S!$B$4:$G$6', ['C4:F4', 'C5:F5'], 'C6', /C6:F6 is not merged in the same way/],
    [
      'cells merged over rows beside others',
      'S!$B$4:$G$6',
      ['C4:F4', 'C5:F5', 'C6:F6', 'B4:B6'],
      'C4',
      /C4:F4 is not merged in the same way as B4:B6/,
    ],
    ['merged headings alone', 'S!$B$4:$G$6', ['C4:D4'], 'C4', /C4:D4 is merged, and the rows below are not/],
    ['cells that begin outside', 'S!$D$5:$G$6', ['C5:F5', 'C6:F6'], 'C5', /begin outside of it: C5:F5/],
    ['a text over their middle', 'S!$B$4:$G$6', ['C5:F5', 'C6:F6'], 'D4', /D4 holds a text above the middle of them/],
  ])('are refused for %s', async (_, ref, merges, cell, message) => {
    const cells = { ...quote().cells, ...(cell === 'D4' ? { D4: 'Unit' } : {}) };
    const { definition, problems } = await read({ sheets: [{ name: 'S', cells, merges }], names: { in_X: ref } });
    expect(definition).toBeNull();
    expect(problems).toMatchObject([{ Sheet: 'S', Cell: cell, Message: expect.stringMatching(message) as string }]);
    expect(problems[0]!.Remedy).not.toBe('');
  });

  it('cannot be two inputs', async () => {
    const { problems } = await read({
      sheets: [{ name: 'S', merges: ['A1:D3'] }],
      names: { in_X: 'S!$A$1', in_Y: 'S!$B$2' },
    });
    expect(problems).toMatchObject([{ Message: expect.stringContaining('share cells') as string }]);
  });

  it('read as the same table without merges does, whatever the widths', async () => {
    const random = seededRandom(17);
    for (let round = 0; round < 25; round++) {
      const widths = Array.from({ length: random.between(2, 5) }, () => random.between(1, 4));
      const rows = random.between(1, 5);
      const values: CellSpec[][] = [
        widths.map((_, x) => `Heading ${x}`),
        ...Array.from({ length: rows }, (_, y) => widths.map((_, x) => (x % 2 === 0 ? y * 10 + x : `t${y}${x}`))),
      ];
      const merged: Record<string, CellSpec> = {};
      const merges: string[] = [];
      for (const [y, row] of values.entries()) {
        let col = 0;
        for (const [x, width] of widths.entries()) {
          merged[`${columnLetters(col)}${y + 1}`] = row[x]!;
          if (width > 1) merges.push(`${columnLetters(col)}${y + 1}:${columnLetters(col + width - 1)}${y + 1}`);
          col += width;
        }
      }
      const right = columnLetters(widths.reduce((sum, width) => sum + width, 0) - 1);
      const a = await input(`S!$A$1:$${right}$${rows + 1}`, { cells: merged, merges });
      const b = await input(`S!$A$1:$${columnLetters(widths.length - 1)}$${rows + 1}`, { cells: cellsOf(values) });
      expect(a.Info).toEqual(b.Info);
    }
  });
});
