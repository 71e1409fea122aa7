/** Combines the database's description of a procedure with the editor's settings. */
import type { CellUsage } from '#shared/contract/parameters.ts';
import type {
  ParameterPicker,
  ParameterSettings,
  ProcedureSettings,
  ResultSettings,
} from '#shared/contract/procedure-settings.ts';
import type {
  ProcedureColumn,
  ProcedureDescription,
  ProcedureParameter,
  TrialRun,
} from '#shared/contract/procedures.ts';
import { said, t } from '#renderer/language/translate.ts';

export type ResultUsage = ResultSettings['Columns'][number]['CellUsage'];
export const RESULT_USAGES: readonly ResultUsage[] = ['Text', 'Number', 'Date', 'Boolean'];

/** A parameter and the editor's settings for it. */
export interface EditedParameter {
  parameter: ProcedureParameter;
  settings: ParameterSettings;
}

const NO_PICKER: ParameterPicker = { Type: 'None', PreventOtherValues: false };

export const isAsked = ({ Direction }: Pick<ProcedureParameter, 'Direction'>): boolean => Direction !== 'Out';
export const isTable = ({ Columns }: Pick<ProcedureParameter, 'Columns'>): boolean => Columns.length > 0;
export const isFile = ({ CellUsage: usage }: Pick<ProcedureParameter, 'CellUsage'>): boolean => usage === 'FilePath';

/**
 * Returns the parameters in the order of the settings. Parameters without settings follow, with the server's defaults.
 */
export function editedParameters(
  { Parameters, Settings }: Pick<ProcedureDescription, 'Parameters' | 'Settings'>,
  settings: ProcedureSettings,
): EditedParameter[] {
  const named = settings.Parameters.flatMap((one) => {
    const parameter = Parameters.find(({ Name }) => Name === one.Name);
    return parameter ? [{ parameter, settings: one }] : [];
  });
  const known = new Set(named.map(({ parameter }) => parameter.Name));
  const others = Parameters.filter(({ Name }) => !known.has(Name)).map((parameter) => ({
    parameter,
    settings: Settings.Parameters.find(({ Name }) => Name === parameter.Name) ?? newParameter(parameter),
  }));
  return [...named, ...others];
}

const newParameter = ({ Name, HasDefault }: ProcedureParameter): ParameterSettings => ({
  Name,
  DisplayName: '',
  Description: '',
  Hidden: false,
  Required: false,
  MayBeLeftOut: HasDefault === true,
  AsNumber: false,
  Pickers: [],
});

/** Returns the settings with one parameter changed. */
export function withParameter(
  edited: readonly EditedParameter[],
  settings: ProcedureSettings,
  name: string,
  change: Partial<ParameterSettings>,
): ProcedureSettings {
  const Parameters = edited.map(({ settings: one }) => (one.Name === name ? { ...one, ...change } : one));
  return { ...settings, Parameters };
}

/** Returns the settings with one parameter moved up (-1) or down (1). */
export function withMoved(
  edited: readonly EditedParameter[],
  settings: ProcedureSettings,
  name: string,
  by: -1 | 1,
): ProcedureSettings {
  const Parameters = edited.map(({ settings: one }) => one);
  const from = Parameters.findIndex(({ Name }) => Name === name);
  const to = from + by;
  if (from < 0 || to < 0 || to >= Parameters.length) return settings;
  [Parameters[from], Parameters[to]] = [Parameters[to]!, Parameters[from]!];
  return { ...settings, Parameters };
}

/** Returns the picker of a single value (column 0) or of a table column. */
export const pickerAt = ({ Pickers }: ParameterSettings, column: number): ParameterPicker =>
  Pickers[column] ?? NO_PICKER;

/** Returns all pickers of a parameter with one of them changed; empty if no column has one. */
export function withPicker(
  { parameter, settings }: EditedParameter,
  column: number,
  picker: ParameterPicker,
): ParameterPicker[] {
  const count = Math.max(1, parameter.Columns.length);
  const pickers = Array.from({ length: count }, (_, at) => (at === column ? picker : pickerAt(settings, at)));
  return pickers.every(({ Type }) => Type === 'None') ? [] : pickers;
}

/** Returns a picker of another type, with only the properties that this type needs. */
export function pickerOfType(before: ParameterPicker, Type: ParameterPicker['Type']): ParameterPicker {
  const PreventOtherValues = before.PreventOtherValues;
  if (Type === 'List') return { Type, PreventOtherValues, Items: before.Items ?? [] };
  if (Type === 'Database')
    return { Type, PreventOtherValues, ConnectionName: before.ConnectionName ?? '', Query: before.Query ?? '' };
  if (Type === 'Condition')
    return { Type, PreventOtherValues: false, Columns: before.Columns ?? [{ Name: '', Kind: 'Text' }] };
  return NO_PICKER;
}

/** True for types with more digits than a Number holds. Their values are texts unless the editor chooses numbers. */
export const mayBeNumber = ({ CellUsage: usage, DataType, Columns }: ProcedureParameter): boolean =>
  Columns.length === 0 &&
  (usage === 'Text' || usage === 'Number') &&
  /^(bigint|numeric|decimal|money)\b/i.test(DataType);

/** Describes how users enter the parameter. */
export function askedAs(parameter: ProcedureParameter): string {
  if (isTable(parameter))
    return t('Table of {count, plural, one {# column} other {# columns}}', { count: parameter.Columns.length });
  if (parameter.Items)
    return t('One of {count, plural, one {# value} other {# values}}', { count: parameter.Items.length });
  return usageText(parameter.CellUsage);
}

export const usageText = (usage: CellUsage): string => (usage === 'FilePath' ? t('File') : said(usage));

/** Returns the current results: declared by the editor, else as far as the database describes them. */
export function declaredResults(description: ProcedureDescription, { Results }: ProcedureSettings): ResultSettings[] {
  if (Results) return Results;
  return description.Results.map((result) => ({
    DisplayName: '',
    Columns: result ? result.Columns.map(declaredColumn) : [{ Name: '', CellUsage: 'Text' }],
  }));
}

/** Columns of a usage that results do not support are declared as Text. */
const declaredColumn = ({ Name, CellUsage: usage }: ProcedureColumn): ResultSettings['Columns'][number] => ({
  Name,
  CellUsage: RESULT_USAGES.find((one) => one === usage) ?? 'Text',
});

/** Returns the results of a trial run as settings. Display names stay with the positions of their results. */
export function resultsOfTrial({ Results }: TrialRun, before: ProcedureSettings['Results']): ResultSettings[] {
  return Results.filter(({ Columns }) => Columns.length > 0).map(({ Columns }, index) => ({
    DisplayName: before?.[index]?.DisplayName ?? '',
    Columns: Columns.map(declaredColumn),
  }));
}

/** Returns 'sales: public' for 'sales: public.add_order(integer)'. */
export function schemaOf(procedureName: string): string {
  const [, schema] = /^([^:]*: (?:"[^"]*"|\[[^\]]*\]|[^.(])*)\./.exec(procedureName) ?? [];
  return schema ?? '';
}
