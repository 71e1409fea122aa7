import { describe, expect, it } from 'vitest';
import type { CellSpec } from '#test/support/build-workbook.ts';
import { defined, withPortal } from '#test/support/read-definitions.ts';

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
      ['Name', 'Range', 'CalculateImmediately', 'Plot', 'RangeType'],
      ['Pair', 'S!A1:B1', true, true, 'MatrixWithoutHeaders'],
    ]);
    expect((await defined(outputs)).outputs[0]).toMatchObject({
      Name: 'Pair',
      Info: { CalculateImmediately: true, Plot: true, RangeType: 'MatrixWithoutHeaders' },
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

describe('a column of files', () => {
  const blanksOf = async (cells: Record<string, CellSpec>, Specification: string, Blanks: boolean | null) => {
    const rows: CellSpec[][] = [
      ['Name', 'Range', 'CellUsages', 'Specification', 'Blanks'],
      ['Papers', 'S!A1:A3', 'FilePath', Specification, Blanks],
    ];
    const [input] = (await defined(withPortal({ cells: { D9: 1, ...cells } }, 'PortalInputs', rows))).inputs;
    return input!.Info.Blanks;
  };

  it.each<[string, Record<string, CellSpec>]>([
    ['is blank', {}],
    ['has an example and gaps', { A1: 'example.csv' }],
    ['is filled by formulas', { A1: { formula: '"a"' }, A2: { formula: '"b"' }, A3: { formula: '"c"' } }],
  ])('that is Required takes at least one file, also where it %s', async (_, cells) => {
    expect(await blanksOf(cells, 'Required', null)).toEqual([false]);
  });

  it('may be left without a file where the sheet says so', async () => {
    expect(await blanksOf({}, 'Required', true)).toEqual([true]);
  });
});

describe('the sections of a form', () => {
  const sectionsOf = async (spec: Parameters<typeof defined>[0]) =>
    (await defined(spec)).inputs.map(({ Name, Info }) => [Name, Info.Section]);
  const cells: Record<string, CellSpec> = {
    A1: 'Please fill in the yellow cells.',
    A2: 'Market:',
    A3: 'Rate',
    B3: 0.05,
    A5: 'Trade',
    A6: 'Amount',
    B6: 100,
    A7: 'Buyer',
    B7: 'x',
  };
  const names = { in_Rate: 'S!$B$3', in_Amount: 'S!$B$6', in_Buyer: 'S!$B$7' };

  it('are the headings over the inputs in the sheet', async () => {
    expect(await sectionsOf({ sheets: [{ name: 'S', cells }], names })).toEqual([
      ['Rate', 'Market'],
      ['Amount', 'Trade'],
      ['Buyer', 'Trade'],
    ]);
  });

  it('are not the title that all inputs of a sheet stand under', async () => {
    const { A5: _, ...titled } = cells;
    expect(await sectionsOf({ sheets: [{ name: 'S', cells: titled }], names })).toEqual([
      ['Rate', undefined],
      ['Amount', undefined],
      ['Buyer', undefined],
    ]);
  });

  it('are those of the Portal sheet where it names one', async () => {
    const rows: CellSpec[][] = [
      ['Name', 'Section'],
      ['Amount', 'What is bought'],
    ];
    expect(await sectionsOf(withPortal({ cells }, 'PortalInputs', rows, names))).toEqual([
      ['Rate', undefined],
      ['Amount', 'What is bought'],
      ['Buyer', undefined],
    ]);
  });
});
