import { describe, expect, it } from 'vitest';
import type { SheetSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { cells, table } from '#test/support/faulty-definitions.ts';
import { read, withPortal } from '#test/support/read-definitions.ts';

describe('a problem', () => {
  it.each<[string, WorkbookSpec['names'], Partial<SheetSpec>, string, string, RegExp]>([
    ['neither inputs nor outputs', { other: 'S!$A$1' }, {}, '', '', /no defined names starting with in_ or out_/],
    ['a lost reference', { in_X: '#REF!' }, {}, '', '', /'in_X' points to cells that no longer exist/],
    ['a lost reference on its sheet', { in_X: 'S!#REF!' }, {}, '', '', /no longer exist/],
    ['several areas', { in_X: 'S!$A$1,S!$A$2' }, {}, '', '', /several areas/],
    ['another workbook', { in_X: '[1]Other!$A$1' }, {}, '', '', /another workbook/],
    ['another workbook, quoted', { in_X: "'[1]Other book'!$A$1" }, {}, '', '', /another workbook/],
    ['whole columns', { in_X: 'S!$A:$B' }, {}, '', '', /whole columns/],
    ['whole rows', { in_X: 'S!$1:$1' }, {}, '', '', /whole columns or rows/],
    ['a missing sheet', { in_X: 'Gone!$A$1' }, {}, '', '', /sheet 'Gone' that does not exist/],
    ['several sheets', { in_X: 'S:Portal!$A$1' }, {}, '', '', /several sheets/],
    ['a constant', { in_X: '42' }, {}, '', '', /constant or a formula/],
    ['a formula', { in_X: 'OFFSET(S!$A$1,1,0)' }, {}, '', '', /constant or a formula/],
    ['a missing name', { in_X: 'Nowhere' }, {}, '', '', /refers to 'Nowhere'/],
    ['a circular reference', { in_X: 'in_Y', in_Y: 'in_X' }, {}, '', '', /points to itself/],
    ['a missing table', { in_X: 'Lost[A]' }, {}, '', '', /table 'Lost'/],
    ['a missing column', { out_X: 'T[zz]' }, {}, '', '', /column that the table T does not have/],
    ['two inputs of one name', { in_X: 'S!$A$1', Xinput_X: 'S!$A$2' }, {}, 'S', 'A2', /two inputs named 'X'/],
    ['inputs that overlap', { in_X: 'S!$A$1:$A$2', in_Y: 'S!$A$2' }, {}, 'S', 'A1', /'X' and 'Y' .* share cells/],
    ['a part of a table', { in_X: 'S!$A$2:$B$2' }, {}, 'S', 'A2', /only a part of the Excel table T/],
    ['merged cells in a table', { in_X: 'S!$E$1:$F$3' }, { merges: ['E2:F2'] }, 'S', 'E2', /merged cells/],
    [
      'an array formula',
      { in_X: 'S!$E$1' },
      { cells: { ...cells, D1: { formula: 'A1:A2', value: 1, array: 'D1:E2' } } },
      'S',
      'E1',
      /formula in D1 fills/,
    ],
    [
      'some formulas',
      { in_X: 'S!$E$1:$E$2' },
      { cells: { ...cells, E1: 1, E2: { formula: 'E1', value: 1 } } },
      'S',
      'E2',
      /covers a formula/,
    ],
  ])('is %s', async (_, names, sheet, Sheet, Cell, message) => {
    const { definition, problems } = await read({
      sheets: [{ name: 'S', cells, tables: [table], ...sheet }],
      names,
    });
    expect(definition).toBeNull();
    expect(problems[0]).toMatchObject({ Sheet, Cell, Message: expect.stringMatching(message) as string });
    for (const problem of problems) {
      expect(problem.Message).toMatch(/^[A-Z].*\.$/s);
      expect(problem.Remedy).not.toBe('');
    }
  });

  it('is more inputs than a form can show', async () => {
    const names = Object.fromEntries(Array.from({ length: 1002 }, (_, i) => [`in_${i}`, `S!$A$${i + 1}`]));
    const { problems } = await read({ sheets: [{ name: 'S', cells }], names });
    expect(problems).toMatchObject([{ Sheet: '', Message: 'The workbook has more than 1000 inputs.' }]);
  });

  it('never comes alone where there are several', async () => {
    const spec = withPortal(
      { cells },
      'PortalInputs',
      [
        ['Name', 'Colour', 'Blanks'],
        ['X', 'red', 'perhaps'],
        ['Ghost', null, null],
      ],
      {
        in_X: 'S!$A$1',
        out_Y: '#REF!',
        out_Z: 'S!$A:$A',
      },
    );
    expect((await read(spec)).problems).toHaveLength(5);
  });
});
