import { describe, expect, it } from 'vitest';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { ActivityDefinition, InputDefinition, OutputDefinition } from '#server/executors/executor.ts';
import type { CellSpec, SheetSpec, TableSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { columnLetters } from '#shared/codecs/cell-address.ts';
import { openPackage } from '../package.ts';
import type { DefinitionResult } from './read-definition.ts';
import { readDefinition } from './read-definition.ts';

async function read(spec: WorkbookSpec): Promise<DefinitionResult> {
  return readDefinition(readWorkbook(await openPackage(await buildWorkbook(spec))));
}

async function defined(spec: WorkbookSpec): Promise<ActivityDefinition> {
  const { definition, faults } = await read(spec);
  expect(faults).toEqual([]);
  return definition!;
}

/** The one input at S!A1 and on, declared by the name in_X over `ref`. */
async function input(
  ref: string,
  sheet: Partial<SheetSpec>,
  more: Partial<WorkbookSpec> = {},
): Promise<InputDefinition> {
  const { inputs } = await defined({ sheets: [{ name: 'S', ...sheet }], names: { in_X: ref }, ...more });
  expect(inputs).toHaveLength(1);
  return inputs[0]!;
}

async function output(
  ref: string,
  sheet: Partial<SheetSpec>,
  more: Partial<WorkbookSpec> = {},
): Promise<OutputDefinition> {
  const { outputs } = await defined({ sheets: [{ name: 'S', ...sheet }], names: { out_X: ref }, ...more });
  return outputs[0]!;
}

/** A sheet Portal with one table, as rows of texts under its columns. */
function portal(name: string, rows: CellSpec[][], top = 1): { cells: Record<string, CellSpec>; tables: TableSpec[] } {
  const cells: Record<string, CellSpec> = {};
  for (const [y, row] of rows.entries()) {
    for (const [x, cell] of row.entries()) if (cell !== null) cells[`${columnLetters(x)}${top + y}`] = cell;
  }
  const last = columnLetters(rows[0]!.length - 1);
  return { cells, tables: [{ name, ref: `A${top}:${last}${top + rows.length - 1}`, columns: rows[0] as string[] }] };
}

const withPortal = (
  sheet: Partial<SheetSpec>,
  name: string,
  rows: CellSpec[][],
  names: WorkbookSpec['names'] = {},
): WorkbookSpec => ({
  sheets: [
    { name: 'S', ...sheet },
    { name: 'Portal', ...portal(name, rows) },
  ],
  names,
});

describe('a defined name', () => {
  it.each([
    ['in_Start_Date', 'inputs', 'Start Date'],
    ['Xinput_Start_Date', 'inputs', 'Start Date'],
    ['IN_Rate', 'inputs', 'Rate'],
    ['out_Total', 'outputs', 'Total'],
    ['Xoutput_Total__Cost', 'outputs', 'Total Cost'],
  ] as const)('%s becomes one of the %s, %s', async (name, list, expected) => {
    const definition = await defined({ sheets: [{ name: 'S', cells: { A1: 1 } }], names: { [name]: 'S!$A$1' } });
    expect(definition[list].map(({ Name }) => Name)).toEqual([expected]);
    expect(definition[list === 'inputs' ? 'outputs' : 'inputs']).toEqual([]);
  });

  it('that is hidden declares nothing', async () => {
    const { faults } = await read({
      sheets: [{ name: 'S', cells: { A1: 1 } }],
      names: [
        { name: 'out_A', text: 'S!$A$1' },
        { name: 'in_B', text: '#REF!', hidden: true },
      ],
    });
    expect(faults).toEqual([]);
  });

  it('stands in the order of the workbook: by sheet, row and column', async () => {
    const { inputs } = await defined({
      sheets: [
        { name: 'S', cells: { B2: 1, A3: 2 } },
        { name: 'R', cells: { A1: 3 } },
      ],
      names: { in_A: 'R!$A$1', in_B: 'S!$A$3', in_C: 'S!$B$2' },
    });
    expect(inputs.map(({ Name }) => Name)).toEqual(['C', 'B', 'A']);
  });

  it.each([
    ['through another name', { in_X: 'There', There: 'S!$B$2' }, { top: 1, left: 1, bottom: 1, right: 1 }],
    ['with a quoted sheet', { in_X: "'S'!$B$2" }, { top: 1, left: 1, bottom: 1, right: 1 }],
    ['with the sheet twice', { in_X: 'S!$A$1:S!$A$2' }, { top: 0, left: 0, bottom: 1, right: 0 }],
  ])('is followed %s', async (_, names, block) => {
    const { inputs } = await defined({ sheets: [{ name: 'S', cells: { A1: 1, B2: 2 } }], names });
    expect(inputs[0]!.location).toEqual({ sheet: 0, block });
  });
});

describe('the shape of the range', () => {
  const grid = (rows: CellSpec[][]): Record<string, CellSpec> => portal('T', rows).cells;

  it.each<[string, string, CellSpec[][], Record<string, unknown>]>([
    ['one cell', 'S!$A$1', [[1]], { RangeType: 'SingleCell', Height: 1, Width: 1, HeaderRows: 0 }],
    [
      'one row',
      'S!$A$1:$C$1',
      [[1, 2, 3]],
      { RangeType: 'SingleRowOfSimilarValues', Width: 3, CellUsages: ['Number'] },
    ],
    ['one column', 'S!$A$1:$A$3', [[1], [2], [3]], { RangeType: 'SingleColumnOfSimilarValues', Height: 3 }],
    [
      'one column with its title',
      'S!$A$1:$A$3',
      [['Rate'], [2], [3]],
      { RangeType: 'SingleColumnOfSimilarValues', Height: 2, HeaderRows: 1, ColumnHeaderValues: ['Rate'] },
    ],
    [
      'a block with titles in its first row',
      'S!$A$1:$B$3',
      [
        ['Name', 'Amount'],
        ['a', 1],
        ['b', 2],
      ],
      {
        RangeType: 'RangeWithColumnHeaders',
        Height: 2,
        HeaderRows: 1,
        ColumnHeaderValues: ['Name', 'Amount'],
        CellUsages: ['Text', 'Number'],
        SqlNames: ['Name', 'Amount'],
      },
    ],
    [
      'a block under a row of texts',
      'S!$A$2:$B$3',
      [
        ['Name', 'Amount'],
        ['a', 1],
        ['b', 2],
      ],
      { RangeType: 'RangeWithColumnHeaders', Height: 2, ColumnHeaderValues: ['Name', 'Amount'] },
    ],
    [
      'a block with headers on both sides',
      'S!$A$1:$C$3',
      [
        [null, 'EUR', 'USD'],
        ['EUR', 1, 2],
        ['USD', 3, 4],
      ],
      {
        RangeType: 'MatrixWithHeaders',
        Height: 2,
        Width: 2,
        ColumnHeaderValues: ['EUR', 'USD'],
        RowHeaderValues: ['EUR', 'USD'],
        CellUsages: ['Number'],
      },
    ],
    [
      'a block of numbers',
      'S!$A$1:$B$2',
      [
        [1, 2],
        [3, 4],
      ],
      { RangeType: 'MatrixWithoutHeaders', HeaderRows: 0, DefaultValue: '[[1,2],[3,4]]' },
    ],
  ])('tells %s', async (_, ref, rows, info) => {
    const found = await input(ref, { cells: grid(rows) });
    expect(found.Info).toMatchObject(info);
  });

  it('of an Excel table makes its rows variable, with the names of its columns', async () => {
    const sheet = {
      cells: grid([
        ['Inv. No', '2nd', 'inv no'],
        ['a', 1, true],
      ]),
      tables: [{ name: 'T', ref: 'A1:C2', columns: ['Inv. No', '2nd', 'inv no'] }],
    };
    for (const ref of ['T', 'T[]', 'T[#All]', 'S!$A$1:$C$2', 'S!$A$2:$C$2']) {
      const { Info, location } = await input(ref, sheet);
      expect(Info).toMatchObject({
        RangeType: 'RangeWithColumnHeaders',
        RowsVariable: true,
        ColumnHeaderValues: ['Inv. No', '2nd', 'inv no'],
        SqlNames: ['Inv_No', '_2nd', 'inv_no_2'],
        CellUsages: ['Text', 'Number', 'Boolean'],
        DefaultValue: '[["a",1,true]]',
      });
      expect(location).toEqual({ sheet: 0, block: { top: 1, left: 0, bottom: 1, right: 2 }, table: 'T' });
    }
  });

  it('of merged cells is the one cell that they are', async () => {
    const found = await input('S!$A$1:$C$2', { cells: { A1: 'x' }, merges: ['A1:C2'] });
    expect(found.Info.RangeType).toBe('SingleCell');
    expect(found.location.block).toEqual({ top: 0, left: 0, bottom: 0, right: 0 });
  });

  it('of an output that a dynamic array fills is as long as the array', async () => {
    const cells: Record<string, CellSpec> = {
      A1: 'City',
      B1: 'Sum',
      A2: { formula: 'SORT(D1:E2)', value: 'a', array: 'A2:B3', dynamic: true },
      B2: 1,
      A3: 'b',
      B3: 2,
    };
    for (const ref of ['S!$A$2', '_xlfn.ANCHORARRAY(S!$A$2)']) {
      const { Info, location } = await output(ref, { cells });
      expect(Info).toMatchObject({
        RangeType: 'RangeWithColumnHeaders',
        RowsVariable: true,
        ColumnHeaderValues: ['City', 'Sum'],
      });
      expect(location.block).toEqual({ top: 1, left: 0, bottom: 2, right: 1 });
    }
  });
});

describe('the kind of an input cell', () => {
  const formats = ['dd/mm/yyyy', '0.00%', '@', '#,##0.00', '[h]:mm'];
  it.each<[string, CellSpec, string]>([
    ['a number', 5, 'Number'],
    ['a text', 'x', 'Text'],
    ['true', true, 'Boolean'],
    ['a blank', null, 'Text'],
    ['a number shown as a date', { value: 45000, style: 1 }, 'Date'],
    ['a blank with a date format', { value: null, style: 1 }, 'Date'],
    ['a blank with a number format', { value: null, style: 4 }, 'Number'],
    ['a percentage', { value: 0.05, style: 2 }, 'Number'],
    ['a number formatted as text', { value: 5, style: 3 }, 'Text'],
    ['elapsed time', { value: 1.5, style: 5 }, 'Number'],
  ])('%s', async (_, cell, usage) => {
    expect((await input('S!$A$1', { cells: { A1: cell } }, { formats })).Info.CellUsages).toEqual([usage]);
  });

  it.each([
    ['whole', 'Number'],
    ['decimal', 'Number'],
    ['date', 'Date'],
    ['textLength', 'Text'],
  ])('with a validation of type %s is a %s, whatever stands in it', async (type, usage) => {
    const found = await input('S!$A$1', { validations: [{ ref: 'A1', type, operator: 'lessThan', formula1: '21' }] });
    expect(found.Info.CellUsages).toEqual([usage]);
    expect(found.Info.MaxSize).toEqual([type === 'textLength' ? 20 : null]);
  });

  it('says whether it may be blank, and what it is for', async () => {
    const validations = [
      { ref: 'A1', type: 'whole', formula1: '1', formula2: '9', allowBlank: true, prompt: 'Months' },
    ];
    const { Info, Description } = await input('S!$A$1', { validations, notes: { A1: 'Jane:\nignored' } });
    expect(Info.Blanks).toEqual([true]);
    expect(Description).toBe('Months');
    const noted = await input('S!$A$1', { notes: { A1: 'Jane Doe:\nThe amount\nin EUR' } });
    expect(noted.Description).toBe('The amount\nin EUR');
  });

  it('with a constant has a default, with a formula a suggestion', async () => {
    const constant = await input('S!$A$1', { cells: { A1: 5 } });
    expect(constant.Info).toMatchObject({ AllowDefaultValue: true, DefaultValue: '5', Specifications: ['Required'] });
    const formula = await input('S!$A$1', { cells: { A1: { formula: '2+3', value: 5 } } });
    expect(formula.Info).toMatchObject({ AllowDefaultValue: false, DefaultValue: '5', Specifications: ['Suggested'] });
    const blank = await input('S!$A$1', {});
    expect(blank.Info).toMatchObject({ AllowDefaultValue: false, DefaultValue: null });
  });

  it('of a 1904 workbook has its default date in the 1900 system', async () => {
    const found = await input('S!$A$1', { cells: { A1: { value: 1, style: 1 } } }, { formats, date1904: true });
    expect(found.Info).toMatchObject({ CellUsages: ['Date'], DefaultValue: '1463' });
  });

  it('of a calculated table column is suggested, and its values are no default', async () => {
    const sheet = {
      cells: { A1: 'Amount', B1: 'Tax', A2: 100, B2: { formula: 'T[[#This Row],[Amount]]*0.2', value: 20 } },
      tables: [
        { name: 'T', ref: 'A1:B2', columns: ['Amount', { name: 'Tax', formula: 'T[[#This Row],[Amount]]*0.2' }] },
      ],
    };
    expect((await input('T', sheet)).Info).toMatchObject({
      Specifications: ['Required', 'Suggested'],
      Blanks: [false, true],
      DefaultValue: '[[100,null]]',
    });
  });
});

describe('a list', () => {
  const list = async (
    formula1: string,
    more: object = {},
    names = {},
    cells: Record<string, CellSpec> = {},
  ): Promise<InputDefinition> => {
    const validations = [{ ref: 'A1', type: 'list', formula1, ...more }];
    return input('S!$A$1', { cells, validations }, { names: { in_X: 'S!$A$1', ...names }, formats: ['yyyy-mm-dd'] });
  };

  it.each<[string, string, object, Record<string, CellSpec>, string, string[]]>([
    ['a literal', '"EUR, USD,EUR"', {}, {}, 'Text', ['EUR', 'USD']],
    ['a literal of numbers', '"12,24,36"', {}, {}, 'Number', ['12', '24', '36']],
    ['a range with blanks', '$C$1:$C$4', {}, { C1: 'a', C3: 'b', C4: 'a' }, 'Text', ['a', 'b']],
    ['a name', 'Choices', { Choices: 'S!$C$1:$C$2' }, { C1: 1, C2: 2.5 }, 'Number', ['1', '2.5']],
    ['a constant behind a name', 'Choices', { Choices: '{"x","y"}' }, {}, 'Text', ['x', 'y']],
    ['INDIRECT of a text', 'INDIRECT("S!C1:C2")', {}, { C1: 'p', C2: 'q' }, 'Text', ['p', 'q']],
    [
      'dates',
      '$C$1:$C$2',
      {},
      { C1: { value: 45000, style: 1 }, C2: { value: 45001, style: 1 } },
      'Date',
      ['45000', '45001'],
    ],
  ])('comes from %s', async (_, formula1, names, cells, usage, items) => {
    const found = await list(formula1, {}, names, cells);
    expect(found.Info.CellUsages).toEqual([usage]);
    expect(found.Info.Pickers).toEqual([{ Type: 'List', PreventOtherValues: true }]);
    expect(found.pickerItems).toEqual([items]);
  });

  it.each([
    [{ errorStyle: 'warning' }, false],
    [{ showError: false }, false],
    [{}, true],
  ])('with %j refuses other values: %s', async (more, PreventOtherValues) => {
    expect((await list('"a,b"', more)).Info.Pickers[0]).toEqual({ Type: 'List', PreventOtherValues });
  });

  it('that depends on other cells is none', async () => {
    expect((await list('OFFSET($C$1,0,0,$D$1)')).Info.Pickers[0]!.Type).toBe('None');
  });
});

describe('the Portal sheet', () => {
  it('says what names and cells leave open, its columns in any order and spelling', async () => {
    const rows: CellSpec[][] = [
      ['Description', 'name', 'Specification', 'Max Size', 'Order', 'HasAccess right', 'Blanks', 'AllowDefaultValue'],
      ['Who pays', 'in_Payer', 'Optional', 30, 2, 'sk.Finance', 'yes', false],
      ['How much', 'Amount', null, null, 1, null, null, null],
    ];
    const definition = await defined(
      withPortal({ cells: { A1: 'x', A2: 5 } }, 'PortalInputs', rows, { in_Payer: 'S!$A$1', in_Amount: 'S!$A$2' }),
    );
    const [amount, payer] = definition.inputs;
    expect(amount).toMatchObject({ Name: 'Amount', Description: 'How much', HasAccessRight: '' });
    expect(payer).toMatchObject({ Name: 'Payer', Description: 'Who pays', HasAccessRight: 'sk.Finance' });
    expect(payer!.Info).toMatchObject({
      Specifications: ['Optional'],
      MaxSize: [30],
      Blanks: [true],
      AllowDefaultValue: false,
      DefaultValue: '"x"',
    });
  });

  it('declares inputs and outputs by a Range', async () => {
    const inputs = withPortal({ cells: { A1: 1, B1: 2 } }, 'PortalInputs', [
      ['Name', 'Range', 'CellUsages'],
      ['My file', 'S!A1', 'FilePath'],
    ]);
    expect((await defined(inputs)).inputs[0]).toMatchObject({
      Name: 'My file',
      Info: { CellUsages: ['FilePath'], DefaultValue: null },
    });
    const outputs = withPortal({ cells: { A1: 1, B1: 2 } }, 'PortalOutputs', [
      ['Name', 'Range', 'CalculateImmediately', 'RangeType'],
      ['Pair', 'S!A1:B1', true, 'MatrixWithoutHeaders'],
    ]);
    expect((await defined(outputs)).outputs[0]).toMatchObject({
      Name: 'Pair',
      Info: { CalculateImmediately: true, RangeType: 'MatrixWithoutHeaders' },
    });
  });

  it.each<[string, string, string[], boolean]>([
    ['List', 'S!C1:C2', ['a', 'b'], true],
    ['', '*S!C1:C2', ['a', 'b'], false],
    ['List', '"p,q"', ['p', 'q'], true],
  ])('gives a picker: %s %s', async (Picker, PickerSource, items, PreventOtherValues) => {
    const spec = withPortal(
      { cells: { A1: 'x', C1: 'a', C2: 'b' } },
      'PortalInputs',
      [
        ['Name', 'Picker', 'PickerSource'],
        ['X', Picker, PickerSource],
      ],
      { in_X: 'S!$A$1' },
    );
    const found = (await defined(spec)).inputs[0]!;
    expect(found.Info.Pickers).toEqual([{ Type: 'List', PreventOtherValues }]);
    expect(found.pickerItems).toEqual([items]);
  });

  it('gives values per column, and reads rows beside headers', async () => {
    const cells = { A1: 'Name', B1: 'a', C1: 'b', A2: 'Amount', B2: 1, C2: 2 };
    const spec = withPortal(
      { cells },
      'PortalInputs',
      [
        ['Name', 'RangeType', 'Blanks', 'CellUsages'],
        ['X', 'RangeWithRowHeaders', 'TRUE,FALSE', 'Text,Number'],
      ],
      { in_X: 'S!$A$1:$C$2' },
    );
    expect((await defined(spec)).inputs[0]!.Info).toMatchObject({
      RangeType: 'RangeWithRowHeaders',
      RowHeaderValues: ['Name', 'Amount'],
      CellUsages: ['Text', 'Number'],
      Blanks: [true, false],
      HeaderCols: 1,
      Width: 2,
      DefaultValue: '[["a","b"],[1,2]]',
    });
  });

  it('holds settings', async () => {
    const spec = withPortal(
      { cells: { A1: 1 } },
      'PortalSettings',
      [
        ['Name', 'Value'],
        ['RunActivityTitle', 'Price {0}'],
        ['Start display name', 'Go'],
        ['Classifications', 'Public, Draft'],
        ['Function', 'Report'],
      ],
      { out_X: 'S!$A$1' },
    );
    expect(await defined(spec)).toMatchObject({
      display: { RunActivityTitle: 'Price {0}', StartDisplayName: 'Go', Classifications: ['Public', 'Draft'] },
      proposals: { Function: 'Report' },
    });
  });

  it('holds steps, and an imported input takes a file', async () => {
    const data = {
      cells: { A1: 'f', C1: 'Id', C2: 1, E1: true },
      tables: [{ name: 'Data', ref: 'C1:C2', columns: ['Id'] }],
    };
    const steps: CellSpec[][] = [
      ['Step', 'Action', 'Input', 'Table', 'When', 'Cell', 'Message', 'Severity'],
      ['Read', 'import', 'in_File', 'Data', 'S!E1', null, null, null],
      [null, 'Check', null, null, null, 'Data[Id]', 'Bad', 'Warning'],
      ['Say', 'Log', null, null, null, null, { formula: '"n="&S!C2', value: 'n=1' }, null],
    ];
    const { steps: found, inputs } = await defined(withPortal(data, 'PortalSteps', steps, { in_File: 'S!$A$1' }));
    expect(found).toEqual([
      { Step: 'Read', Action: 'Import', options: { Input: 'in_File', Table: 'Data', When: 'S!E1' } },
      { Step: 'Step 2', Action: 'Check', options: { Cell: 'Data[Id]', Message: 'Bad', Severity: 'Warning' } },
      { Step: 'Say', Action: 'Log', options: { Message: 'n=1', MessageCell: "'Portal'!G4" } },
    ]);
    expect(inputs[0]!.Info.CellUsages).toEqual(['FilePath']);
  });
});

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
    ['a circle', { in_X: 'in_Y', in_Y: 'in_X' }, {}, '', '', /points to itself/],
    ['a missing table', { in_X: 'Lost[A]' }, {}, '', '', /table 'Lost'/],
    ['a missing column', { out_X: 'T[zz]' }, {}, '', '', /column that the table T does not have/],
    ['two inputs of one name', { in_X: 'S!$A$1', Xinput_X: 'S!$A$2' }, {}, 'S', 'A2', /two inputs named 'X'/],
    ['inputs that overlap', { in_X: 'S!$A$1:$A$2', in_Y: 'S!$A$2' }, {}, 'S', 'A1', /'X' and 'Y' .* share cells/],
    ['a part of a table', { in_X: 'S!$B$2' }, {}, 'S', 'B2', /only a part of the Excel table T/],
    ['a column of a table', { in_X: 'T[h]' }, {}, 'S', 'B2', /only a part of the Excel table T/],
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
