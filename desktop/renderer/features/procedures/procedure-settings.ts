/** What the editor of a procedure activity makes of what a database says of the procedure. */
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

/** A parameter, and what the editor says of it. */
export interface EditedParameter {
  parameter: ProcedureParameter;
  settings: ParameterSettings;
}

const NO_PICKER: ParameterPicker = { Type: 'None', PreventOtherValues: false };

export const isAsked = ({ Direction }: Pick<ProcedureParameter, 'Direction'>): boolean => Direction !== 'Out';
export const isTable = ({ Columns }: Pick<ProcedureParameter, 'Columns'>): boolean => Columns.length > 0;
export const isFile = ({ CellUsage: usage }: Pick<ProcedureParameter, 'CellUsage'>): boolean => usage === 'FilePath';

/** The parameters in the order of the settings; those that the settings do not name follow, as the server would take them. */
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

/** The settings with one parameter's changed. */
export function withParameter(
  edited: readonly EditedParameter[],
  settings: ProcedureSettings,
  name: string,
  change: Partial<ParameterSettings>,
): ProcedureSettings {
  const Parameters = edited.map(({ settings: one }) => (one.Name === name ? { ...one, ...change } : one));
  return { ...settings, Parameters };
}

/** The settings with one parameter a place further up (-1) or down (1). */
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

/** The picker of a single value (column 0) or of a table's column. */
export const pickerAt = ({ Pickers }: ParameterSettings, column: number): ParameterPicker =>
  Pickers[column] ?? NO_PICKER;

/** All pickers of a parameter with one of them changed; none where no column has one. */
export function withPicker(
  { parameter, settings }: EditedParameter,
  column: number,
  picker: ParameterPicker,
): ParameterPicker[] {
  const count = Math.max(1, parameter.Columns.length);
  const pickers = Array.from({ length: count }, (_, at) => (at === column ? picker : pickerAt(settings, at)));
  return pickers.every(({ Type }) => Type === 'None') ? [] : pickers;
}

/** A picker of another type, with what its type needs and nothing else. */
export function pickerOfType(before: ParameterPicker, Type: ParameterPicker['Type']): ParameterPicker {
  const PreventOtherValues = before.PreventOtherValues;
  if (Type === 'List') return { Type, PreventOtherValues, Items: before.Items ?? [] };
  if (Type === 'Database')
    return { Type, PreventOtherValues, ConnectionName: before.ConnectionName ?? '', Query: before.Query ?? '' };
  if (Type === 'Condition')
    return { Type, PreventOtherValues: false, Columns: before.Columns ?? [{ Name: '', Kind: 'Text' }] };
  return NO_PICKER;
}

/** More digits than a Number keeps: taken as texts, unless the editor says otherwise. */
export const mayBeNumber = ({ CellUsage: usage, DataType, Columns }: ProcedureParameter): boolean =>
  Columns.length === 0 &&
  (usage === 'Text' || usage === 'Number') &&
  /^(bigint|numeric|decimal|money)\b/i.test(DataType);

/** How people will meet it. */
export function askedAs(parameter: ProcedureParameter): string {
  if (isTable(parameter)) return t('Table of {columnsCount} columns', { columnsCount: parameter.Columns.length });
  if (parameter.Items) return t('One of {itemsCount} values', { itemsCount: parameter.Items.length });
  return usageText(parameter.CellUsage);
}

export const usageText = (usage: CellUsage): string => (usage === 'FilePath' ? t('File') : said(usage));

/** What is declared now: by the editor, or by the database as far as it tells. */
export function declaredResults(description: ProcedureDescription, { Results }: ProcedureSettings): ResultSettings[] {
  if (Results) return Results;
  return description.Results.map((result) => ({
    DisplayName: '',
    Columns: result ? result.Columns.map(declaredColumn) : [{ Name: '', CellUsage: 'Text' }],
  }));
}

/** What is none of a table's kinds comes as a text. */
const declaredColumn = ({ Name, CellUsage: usage }: ProcedureColumn): ResultSettings['Columns'][number] => ({
  Name,
  CellUsage: RESULT_USAGES.find((one) => one === usage) ?? 'Text',
});

/** What a trial run has shown, as settings; the names given to results before stay with their places. */
export function resultsOfTrial({ Results }: TrialRun, before: ProcedureSettings['Results']): ResultSettings[] {
  return Results.filter(({ Columns }) => Columns.length > 0).map(({ Columns }, index) => ({
    DisplayName: before?.[index]?.DisplayName ?? '',
    Columns: Columns.map(declaredColumn),
  }));
}

/** 'sales: public' of 'sales: public.add_order(integer)'. */
export function schemaOf(procedureName: string): string {
  const [, schema] = /^([^:]*: (?:"[^"]*"|\[[^\]]*\]|[^.(])*)\./.exec(procedureName) ?? [];
  return schema ?? '';
}
