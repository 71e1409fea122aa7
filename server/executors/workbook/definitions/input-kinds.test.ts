import { describe, expect, it } from 'vitest';
import type { CellSpec } from '#test/support/build-workbook.ts';
import { input } from '#test/support/read-definitions.ts';
import type { InputDefinition } from '#server/executors/activity-definition.ts';

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
    ['elapsed time', { value: 1.5, style: 5 }, 'Date'],
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

  it('that depends on other cells is calculated', async () => {
    const { Info, pickerItems } = await list('OFFSET($C$1,0,0,$D$1)');
    expect(Info.Pickers[0]).toMatchObject({ Type: 'List', Calculated: true });
    expect(pickerItems).toEqual([[]]);
  });
});
