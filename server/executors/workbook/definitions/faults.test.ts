import { describe, expect, it } from 'vitest';
import type { CellSpec, SheetSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { read, withPortal } from '#test/support/read-definitions.ts';

describe('a fault', () => {
  const cells: Record<string, CellSpec> = { A1: 1, A2: 2, B1: 'h', C1: 'k', B2: 1, C2: 2 };
  const table = { name: 'T', ref: 'B1:C2', columns: ['h', 'k'] };

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
    ['a missing name', { in_X: 'Nowhere' }, {}, '', '', /names 'Nowhere'/],
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
    const { definition, faults } = await read({ sheets: [{ name: 'S', cells, tables: [table], ...sheet }], names });
    expect(definition).toBeNull();
    expect(faults[0]).toMatchObject({ Sheet, Cell, Message: expect.stringMatching(message) as string });
    for (const fault of faults) {
      expect(fault.Message).toMatch(/^[A-Z].*\.$/s);
      expect(fault.Remedy).not.toBe('');
    }
  });

  it.each<[string, string, CellSpec[][], string, RegExp]>([
    [
      'an unknown column',
      'PortalInputs',
      [
        ['Name', 'Colour'],
        ['X', 'red'],
      ],
      'B1',
      /column 'Colour'/,
    ],
    [
      'an unknown value',
      'PortalInputs',
      [
        ['Name', 'CellUsages'],
        ['X', 'Money'],
      ],
      'B2',
      /no value 'Money'/,
    ],
    [
      'an unknown specification',
      'PortalInputs',
      [
        ['Name', 'Specification'],
        ['X', 'Maybe'],
      ],
      'B2',
      /no value 'Maybe'/,
    ],
    [
      'a flag that is none',
      'PortalInputs',
      [
        ['Name', 'Blanks'],
        ['X', 'perhaps'],
      ],
      'B2',
      /TRUE or FALSE/,
    ],
    [
      'a flag that is the name of a property of every object',
      'PortalInputs',
      [
        ['Name', 'Blanks'],
        ['X', 'constructor'],
      ],
      'B2',
      /TRUE or FALSE, not 'constructor'/,
    ],
    [
      'a size that is none',
      'PortalInputs',
      [
        ['Name', 'MaxSize'],
        ['X', 'big'],
      ],
      'B2',
      /whole number/,
    ],
    [
      'an order that is none',
      'PortalInputs',
      [
        ['Name', 'Order'],
        ['X', 'first'],
      ],
      'B2',
      /must be a number/,
    ],
    [
      'a row without a name',
      'PortalInputs',
      [
        ['Name', 'Order'],
        [null, 1],
      ],
      'A2',
      /no Name/,
    ],
    ['a name without cells', 'PortalInputs', [['Name'], ['Ghost']], 'A2', /No cells are named for the input 'Ghost'/],
    ['two rows for one input', 'PortalInputs', [['Name'], ['X'], ['in_X']], 'A3', /two rows for 'X'/],
    [
      'a Range that contradicts',
      'PortalInputs',
      [
        ['Name', 'Range'],
        ['X', 'S!A2'],
      ],
      'B2',
      /says otherwise/,
    ],
    [
      'a Range without a sheet',
      'PortalInputs',
      [
        ['Name', 'Range'],
        ['Y', 'A2'],
      ],
      'B2',
      /names no sheet/,
    ],
    [
      'a RangeType that does not fit',
      'PortalInputs',
      [
        ['Name', 'RangeType'],
        ['X', 'MatrixWithHeaders'],
      ],
      'S!A1',
      /is no MatrixWithHeaders/,
    ],
    [
      'too many values',
      'PortalInputs',
      [
        ['Name', 'CellUsages'],
        ['X', 'Text,Number'],
      ],
      'B2',
      /2 values for 1 columns/,
    ],
    [
      'a list without a source',
      'PortalInputs',
      [
        ['Name', 'Picker'],
        ['X', 'List'],
      ],
      'B2|A2',
      /no source/,
    ],
    [
      'a list that is none',
      'PortalInputs',
      [
        ['Name', 'PickerSource'],
        ['X', 'Nowhere'],
      ],
      'B2',
      /cannot be read from 'Nowhere'/,
    ],
    [
      'a database picker',
      'PortalInputs',
      [
        ['Name', 'Picker'],
        ['X', 'Database'],
      ],
      'A2',
      /has no connection and query/,
    ],
    [
      'a condition without a table',
      'PortalInputs',
      [
        ['Name', 'CellUsages'],
        ['X', 'Condition'],
      ],
      'A2',
      /needs the table/,
    ],
    [
      'a path as sample file',
      'PortalInputs',
      [
        ['Name', 'SampleFile'],
        ['X', '..\\secret.csv'],
      ],
      'B2',
      /is a path/,
    ],
    [
      'an unknown setting',
      'PortalSettings',
      [
        ['Name', 'Value'],
        ['Colour', 'red'],
      ],
      'A2',
      /no setting 'Colour'/,
    ],
    [
      'a setting twice',
      'PortalSettings',
      [
        ['Name', 'Value'],
        ['Function', 'a'],
        ['Function', 'b'],
      ],
      'A3',
      /stands twice/,
    ],
    [
      'a setting too long',
      'PortalSettings',
      [
        ['Name', 'Value'],
        ['Group', 'g'.repeat(31)],
      ],
      'A2',
      /longer than 30/,
    ],
    ['a table of a wrong name', 'PortalInput', [['Name'], ['X']], 'A1', /'PortalInput' is none that the portal knows/],
    ['a table that was not named', 'Table7', [['Name'], ['X']], 'A1', /'Table7' is none that the portal knows/],
    [
      'a step without an action',
      'PortalSteps',
      [
        ['Step', 'Action'],
        ['S1', null],
      ],
      'B2',
      /no Action/,
    ],
    [
      'an action of a later version',
      'PortalSteps',
      [
        ['Step', 'Action'],
        ['S1', 'Call'],
      ],
      'B2',
      /action Call, which this version does not have/,
    ],
    [
      'an unknown action',
      'PortalSteps',
      [
        ['Step', 'Action'],
        ['S1', 'Dance'],
      ],
      'B2',
      /unknown action 'Dance'/,
    ],
    [
      'an import without a table',
      'PortalSteps',
      [
        ['Step', 'Action', 'Input'],
        ['S1', 'Import', 'X'],
      ],
      'A2',
      /needs a Table/,
    ],
    [
      'an import into nothing',
      'PortalSteps',
      [
        ['Action', 'Input', 'Table'],
        ['Import', 'X', 'Lost'],
      ],
      'C2',
      /no Excel table 'Lost'/,
    ],
    [
      'an import from nothing',
      'PortalSteps',
      [
        ['Action', 'Input', 'Table'],
        ['Import', 'Ghost', 'T'],
      ],
      'B2',
      /no input 'Ghost'/,
    ],
    [
      'a check without a message',
      'PortalSteps',
      [
        ['Action', 'Cell'],
        ['Check', 'S!A1'],
      ],
      'A2',
      /needs a Message/,
    ],
    [
      'a check of nothing',
      'PortalSteps',
      [
        ['Action', 'Cell', 'Message'],
        ['Check', 'Gone!A1', 'm'],
      ],
      'B2',
      /Cell of the step .* 'Gone'/,
    ],
    [
      'a severity that is none',
      'PortalSteps',
      [
        ['Action', 'Cell', 'Message', 'Severity'],
        ['Check', 'S!A1', 'm', 'Fatal'],
      ],
      'D2',
      /no value 'Fatal'/,
    ],
    [
      'an option of another action',
      'PortalSteps',
      [
        ['Action', 'Message', 'Table'],
        ['Log', 'm', 'T'],
      ],
      'C2',
      /has no Table/,
    ],
    [
      'a When of many cells',
      'PortalSteps',
      [
        ['Action', 'Message', 'When'],
        ['Log', 'm', 'S!A1:A2'],
      ],
      'C2',
      /more than one cell/,
    ],
  ])('on the Portal sheet is %s', async (_, name, rows, cell, message) => {
    const spec = withPortal({ cells, tables: [table] }, name, rows, { in_X: 'S!$A$1' });
    const { definition, faults } = await read(spec);
    expect(definition).toBeNull();
    const at = faults.find(({ Message }) => message.test(Message));
    expect(at, JSON.stringify(faults)).toBeDefined();
    const [sheet, address] = cell.includes('!') ? cell.split('!') : ['Portal', cell];
    expect(at!.Sheet).toBe(sheet);
    expect(address!.split('|')).toContain(at!.Cell);
    expect(at!.Remedy).not.toBe('');
  });

  it('is more inputs than a form can show', async () => {
    const names = Object.fromEntries(Array.from({ length: 1002 }, (_, i) => [`in_${i}`, `S!$A$${i + 1}`]));
    const { faults } = await read({ sheets: [{ name: 'S', cells }], names });
    expect(faults).toMatchObject([{ Sheet: '', Message: 'The workbook has more than 1000 inputs.' }]);
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
    expect((await read(spec)).faults).toHaveLength(5);
  });
});
