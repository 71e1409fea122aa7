import { expect, test } from 'vitest';
import type { ParameterSettings, ProcedureSettings } from '#shared/contract/procedure-settings.ts';
import type { ProcedureDescription, ProcedureParameter } from '#shared/contract/procedures.ts';
import {
  declaredResults,
  editedParameters,
  mayBeNumber,
  pickerOfType,
  resultsOfTrial,
  schemaOf,
  withMoved,
  withParameter,
  withPicker,
} from './procedure-settings.ts';

const parameter = (Name: string, more: Partial<ProcedureParameter> = {}): ProcedureParameter => ({
  Name,
  DataType: 'integer',
  Direction: 'In',
  RangeType: 'SingleCell',
  CellUsage: 'Number',
  HasDefault: false,
  DefaultText: null,
  Items: null,
  Columns: [],
  ...more,
});

const own = (Name: string, more: Partial<ParameterSettings> = {}): ParameterSettings => ({
  Name,
  DisplayName: '',
  Description: '',
  Hidden: false,
  Required: true,
  MayBeLeftOut: false,
  AsNumber: false,
  Pickers: [],
  ...more,
});

const settings: ProcedureSettings = {
  Parameters: [own('a'), own('b')],
  Results: null,
  ReturnCodeFails: false,
  CommitsByItself: false,
  LargeResultFormat: 'xlsx',
};

const description: ProcedureDescription = {
  ProcedureName: 'Ledger: books.post(integer, integer)',
  ConnectionName: 'Ledger',
  Kind: 'Procedure',
  Parameters: [parameter('a'), parameter('b')],
  Results: [],
  ResultsAreAll: true,
  HasReturnCode: false,
  Refusals: [],
  Settings: settings,
};

const names = ({ Parameters }: ProcedureSettings): string[] => Parameters.map(({ Name }) => Name);

test('parameters are in the order of the settings; new ones follow, and removed ones are skipped', () => {
  const changed = {
    ...description,
    Parameters: [parameter('new', { HasDefault: true }), parameter('a'), parameter('b')],
  };
  const edited = editedParameters(changed, { ...settings, Parameters: [own('b'), own('gone'), own('a')] });
  expect(edited.map(({ parameter: { Name } }) => Name)).toEqual(['b', 'a', 'new']);
  expect(edited[2]!.settings).toMatchObject({ MayBeLeftOut: true, Required: false });
});

test('a change of one parameter leaves the others as they are', () => {
  const edited = editedParameters(description, settings);
  const changed = withParameter(edited, settings, 'b', { DisplayName: 'Second' });
  expect(changed.Parameters).toEqual([own('a'), own('b', { DisplayName: 'Second' })]);
});

test('a parameter is moved within the list and not beyond its ends', () => {
  const edited = editedParameters(description, settings);
  expect(names(withMoved(edited, settings, 'b', -1))).toEqual(['b', 'a']);
  expect(names(withMoved(edited, settings, 'a', -1))).toEqual(['a', 'b']);
  expect(names(withMoved(edited, settings, 'b', 1))).toEqual(['a', 'b']);
});

test('the picker of one column comes with pickers of the others, and none are kept where no column has one', () => {
  const columns = ['x', 'y'].map((Name) => ({ Name, DataType: 'text', CellUsage: 'Text' as const }));
  const edited = { parameter: parameter('t', { Columns: columns }), settings: own('t') };
  const list = pickerOfType({ Type: 'None', PreventOtherValues: false }, 'List');
  expect(withPicker(edited, 1, list).map(({ Type }) => Type)).toEqual(['None', 'List']);
  const picked = { ...edited, settings: own('t', { Pickers: withPicker(edited, 1, list) }) };
  expect(withPicker(picked, 1, pickerOfType(list, 'None'))).toEqual([]);
});

test('a picker of another type has what that type needs, and nothing else', () => {
  const list = { Type: 'List' as const, PreventOtherValues: true, Items: ['red'] };
  expect(pickerOfType(list, 'Database')).toEqual({
    Type: 'Database',
    PreventOtherValues: true,
    ConnectionName: '',
    Query: '',
  });
  expect(pickerOfType(list, 'None')).toEqual({ Type: 'None', PreventOtherValues: false });
});

test('results are those of the database until they are written, and what a table cannot hold is a text', () => {
  const described = { Columns: [{ Name: 'picture', DataType: 'bytea', CellUsage: 'FilePath' as const }] };
  const withResults = { ...description, Results: [described, null] };
  expect(declaredResults(withResults, settings)).toEqual([
    { DisplayName: '', Columns: [{ Name: 'picture', CellUsage: 'Text' }] },
    { DisplayName: '', Columns: [{ Name: '', CellUsage: 'Text' }] },
  ]);
  const Results = [{ DisplayName: 'Mine', Columns: [{ Name: 'a', CellUsage: 'Number' as const }] }];
  expect(declaredResults(withResults, { ...settings, Results })).toBe(Results);
});

test('results of a trial run keep the names that were given to their places', () => {
  const trial = {
    Results: [{ Columns: [{ Name: 'n', DataType: 'int', CellUsage: 'Number' as const }], Rows: 3 }],
  };
  const before = [{ DisplayName: 'Numbers', Columns: [{ Name: '', CellUsage: 'Text' as const }] }];
  expect(resultsOfTrial({ ...trial, ReturnCode: null, Messages: [] }, before)).toEqual([
    { DisplayName: 'Numbers', Columns: [{ Name: 'n', CellUsage: 'Number' }] },
  ]);
});

test.each([
  ['Samples: shop.import_orders(shop.order_line[], text)', 'Samples: shop'],
  ['Ledger: "odd.schema"."proc"()', 'Ledger: "odd.schema"'],
  ['Ledger: [a.b].[c]', 'Ledger: [a.b]'],
])('%s is listed under %s', (name, group) => expect(schemaOf(name)).toBe(group));

test('numbers of more than 15 digits may be taken as numbers, single values alone', () => {
  expect(mayBeNumber(parameter('a', { DataType: 'bigint', CellUsage: 'Text' }))).toBe(true);
  expect(mayBeNumber(parameter('a', { DataType: 'numeric(30,2)', CellUsage: 'Text' }))).toBe(true);
  expect(mayBeNumber(parameter('a', { DataType: 'text', CellUsage: 'Text' }))).toBe(false);
  expect(mayBeNumber(parameter('a', { DataType: 'date', CellUsage: 'Date' }))).toBe(false);
});
