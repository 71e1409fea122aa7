import { describe, expect, it } from 'vitest';
import type { FormInput } from '#shared/codecs/input-form.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { Input, InputInfo, RunInput } from '#shared/contract/parameters.ts';
import {
  columnNotes,
  formsOfRun,
  fromGridRows,
  gridShape,
  issuePosition,
  toGridRows,
  type Forms,
} from './form-inputs.ts';
import { createRunForm } from './run-form-store.ts';

const info = (part: Partial<InputInfo>): InputInfo => ({
  RangeType: 'RangeWithColumnHeaders',
  CellUsages: ['Text', 'Number'],
  Specifications: ['Required', 'Required'],
  Blanks: [false, false],
  Pickers: [],
  MaxSize: [null, null],
  AllowDefaultValue: false,
  HeaderRows: 1,
  HeaderCols: 0,
  Height: 2,
  Width: 2,
  RowsVariable: false,
  ColsVariable: false,
  Display: 'Default',
  ColumnHeaderValues: ['A', 'B'],
  RowHeaderValues: [],
  SqlNames: [],
  SampleFilePath: null,
  Formats: ['General', 'General'],
  DefaultValue: null,
  ...part,
});
const sideways = info({ RangeType: 'SingleRowOfSimilarValues', CellUsages: ['Number'], ColsVariable: true, Width: 3 });
const column = info({ RangeType: 'SingleColumnOfSimilarValues', CellUsages: ['Number'], RowsVariable: true, Width: 1 });

describe('a value as a grid', () => {
  it('has an empty row to type into where rows may come', () => {
    expect(toGridRows(column, [1, 2], false)).toEqual([[1], [2], [null]]);
    expect(toGridRows(column, [], false)).toEqual([[null]]);
    expect(toGridRows(column, [1, 2], true)).toEqual([[1], [2]]);
  });
  it('has an empty column to type into where columns may come', () => {
    expect(toGridRows(sideways, [1, 2], false)).toEqual([[1, 2, null]]);
    expect(fromGridRows(sideways, [[1, 2, null]])).toEqual([1, 2]);
  });
  it('comes back as the list or the rows it was', () => {
    expect(fromGridRows(column, [[1], [2]])).toEqual([1, 2]);
    expect(fromGridRows(info({}), [['a', 1]])).toEqual([['a', 1]]);
  });
  it('finds the cell of an issue, also in a row of values', () => {
    expect([issuePosition(sideways, 2, 0), issuePosition(column, 2, 0)]).toEqual([
      { row: 0, col: 2 },
      { row: 2, col: 0 },
    ]);
  });
  it('says which columns may stay blank for the value of the workbook', () => {
    expect(columnNotes(info({ Specifications: ['Required', 'Suggested'] }))).toEqual(['', 'Suggested']);
    expect(columnNotes(info({ Specifications: ['Suggested'] }))).toEqual([]);
  });
  it('leaves hidden columns out and locks those that are only shown', () => {
    const shape = gridShape(info({ Specifications: ['Required', 'Hidden'] }), 2, false);
    expect([shape.isHidden(0), shape.isHidden(1)]).toEqual([false, true]);
    const shown = gridShape(info({ Specifications: ['Required', 'Display'] }), 2, false);
    expect([shown.isReadOnly(0, 0), shown.isReadOnly(0, 1)]).toEqual([false, true]);
  });
});

describe('the inputs of an earlier run', () => {
  const input = { Id: 5, Name: 'Amounts', Info: column, PresetValue: null, HasAccess: true } as Input;
  const entry = { ActivityParameterId: 1, Name: 'Amounts', Value: '[1,2]', UseDefault: false } as RunInput;
  it('go to the inputs of the same name', () => {
    const forms = formsOfRun([input], [{ ...entry, ParameterInfo: column }]);
    expect(forms[5]).toMatchObject({ value: [1, 2], useDefault: false });
  });
  it('are left where the input has another shape today, or the value cannot be read', () => {
    expect(formsOfRun([input], [{ ...entry, ParameterInfo: sideways }])).toEqual({});
    expect(formsOfRun([input], [{ ...entry, Value: '{', ParameterInfo: column }])).toEqual({});
  });
});

describe('columns that are only shown', () => {
  const shown = info({
    CellUsages: ['Text', 'Number', 'Number'],
    Specifications: ['Display', 'Required', 'Hidden'],
    Width: 3,
    DefaultValue: '[["North",null,7],["South",null,8]]',
  });
  const input = { Id: 5, Name: 'Regions', Info: shown, PresetValue: null, HasAccess: true } as Input;
  const entry = { ActivityParameterId: 5, Name: 'Regions', UseDefault: false, ParameterInfo: shown } as RunInput;
  const formOf = (forms: Forms): FormInput['value'] =>
    createRunForm({ Id: 1, Inputs: [input] } as Activity, forms, {}).getState().forms[5]!.value;

  it('show what the workbook has when a run is run again, of which they keep nothing', () => {
    const forms = formsOfRun([input], [{ ...entry, Value: '[[null,10,null],[null,20,null]]' }]);
    expect(formOf(forms)).toEqual([
      ['North', 10, 7],
      ['South', 20, 8],
    ]);
  });
  it('show what the version of today has where a draft was typed for an older one', () => {
    const typed = { value: [['East', 10, 1]], files: [], useDefault: false };
    const store = createRunForm({ Id: 1, Inputs: [input] } as Activity, {}, { 5: typed });
    expect(store.getState().forms[5]!.value).toEqual([['North', 10, 7]]);
  });
  it('are those of the workbook in an input that is shown as a whole, or that the person may not change', () => {
    const Info = { ...shown, Specifications: ['Display', 'Display', 'Display'] as InputInfo['Specifications'] };
    const whole = { ...entry, Value: '[["x",1,1],["y",2,2]]' };
    expect(formsOfRun([{ ...input, Info }], [whole])).toEqual({});
    expect(formsOfRun([{ ...input, HasAccess: false }], [whole])).toEqual({});
  });
});
