/** Converts parameters of a procedure to inputs of an activity. */
import { NO_CELLS, type InputDefinition, type PickerQueryDefinition } from '#server/executors/activity-definition.ts';
import type { ProcedureParameter, ProcedureType } from '#server/base/procedure-types.ts';
import type { CellUsage, InputInfo, Picker } from '#shared/contract/parameters.ts';
import type { ParameterPicker, ParameterSettings } from '#shared/contract/procedure-settings.ts';
import { defaultValueOf, formatOf, inputUsage, maxSizeOf, rangeTypeOf, rulesOf } from './parameter-shapes.ts';

const NO_PICKER: ParameterPicker = { Type: 'None', PreventOtherValues: false };

/** Returns the types of a row's values: of a table, those of its columns; otherwise the parameter's own type. */
const typesOf = ({ type }: Pick<ProcedureParameter, 'type'>): readonly ProcedureType[] =>
  type.kind === 'Table' ? type.columns.map((column) => column.type) : [type];

export function inputOf(parameter: ProcedureParameter, settings: ParameterSettings, Name: string): InputDefinition {
  const { type } = parameter;
  const isTable = type.kind === 'Table';
  const types = typesOf(parameter);
  const pickers = types.map((one, index) => pickerOf(one, settings.Pickers[index]));
  const usages = types.map((one, index): CellUsage =>
    pickers[index]!.Type === 'Condition' ? 'Condition' : inputUsage(one, settings.AsNumber),
  );
  const DefaultValue = defaultValueOf(parameter, usages[0]!);
  const rules = rulesOf(types, isTable);
  const Info: InputInfo = {
    RangeType: rangeTypeOf(type),
    CellUsages: usages,
    Specifications: types.map(() => specificationOf(settings)),
    Blanks: isTable ? type.columns.map(({ isNullable }) => isNullable) : [blankOf(settings, type)],
    Pickers: pickers.map(shownPicker),
    MaxSize: types.map((one, index) => maxSizeOf(one, usages[index]!)),
    AllowDefaultValue: isTable && !settings.Required,
    ...(rules.length > 0 ? { Rules: rules } : {}),
    ExactNumbers: true,
    HeaderRows: isTable ? 1 : 0,
    HeaderCols: 0,
    Height: 1,
    Width: types.length,
    RowsVariable: isTable,
    ColsVariable: false,
    Display: 'Default',
    ColumnHeaderValues: isTable ? columnNames(type) : [],
    RowHeaderValues: [],
    SqlNames: [],
    SampleFilePath: isTable ? `${Name.replaceAll(/[\\/:*?"<>|.]/g, ' ').trim() || 'Sample'}.xlsx` : null,
    Formats: types.map(formatOf),
    DefaultValue,
  };
  const queries = pickers.map(queryOf);
  return {
    Name,
    Description: settings.Description || describedDefault(parameter, DefaultValue),
    Info,
    HasAccessRight: '',
    location: NO_CELLS,
    pickerItems: pickers.map(({ Type, Items }) => (Type === 'List' ? (Items ?? []) : null)),
    ...(queries.some(Boolean) ? { pickerQueries: queries } : {}),
  };
}

function specificationOf({ Hidden, MayBeLeftOut }: ParameterSettings): InputInfo['Specifications'][number] {
  if (Hidden) return 'Hidden';
  return MayBeLeftOut ? 'Optional' : 'Required';
}

/** An optional file parameter cannot be blank: a blank file would be indistinguishable from an omitted one. */
const blankOf = ({ Required, MayBeLeftOut }: ParameterSettings, { kind }: ProcedureType): boolean =>
  !Required && !(kind === 'File' && MayBeLeftOut);

function describedDefault({ defaultText }: ProcedureParameter, shown: string | null): string {
  return defaultText === null || shown !== null ? '' : `Default: ${defaultText}`;
}

/** Headers must not be blank, because pasted rows are matched by header. */
const columnNames = ({ columns }: ProcedureType): string[] =>
  columns.map(({ name }, index) => (name === '' ? `Column${index + 1}` : name));

function pickerOf({ kind, labels }: ProcedureType, said: ParameterPicker = NO_PICKER): ParameterPicker {
  if (kind !== 'Enum' || said.Type !== 'None') return said;
  return { Type: 'List', PreventOtherValues: true, Items: [...labels] };
}

const shownPicker = ({ Type, PreventOtherValues, Columns }: ParameterPicker): Picker =>
  Type === 'Condition' ? { Type, PreventOtherValues, Columns: Columns ?? [] } : { Type, PreventOtherValues };

function queryOf({ Type, ConnectionName, Query }: ParameterPicker): PickerQueryDefinition | null {
  if (Type !== 'Database') return null;
  return { Connection: ConnectionName ?? '', Query: Query ?? '', Sheet: '', Cell: '' };
}
