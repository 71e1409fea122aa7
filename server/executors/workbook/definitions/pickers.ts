/** Builds the pickers of an input from the list of its validation or from the Portal sheet. */
import type { ListArea, PickerQueryDefinition } from '#server/executors/activity-definition.ts';
import type { PlacedFormula } from '#server/calculation/placed-formula.ts';
import { isFixedFormula, placedFormulaProblem } from '#server/calculation/graph/placed-formulas.ts';
import type { DataValidation, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellUsage, Picker } from '#shared/contract/parameters.ts';
import { PICKER_TYPES } from '#shared/rules/parameter-kinds.ts';
import { isParameterOf, parseQueryText } from '#shared/codecs/query-text.ts';
import type { CellView } from './cell-view.ts';
import { conditionTable } from './condition-tables.ts';
import type { Field } from './field.ts';
import { listItems } from './list-items.ts';
import type { ListItems } from './list-items.ts';
import type { Draft } from './parameters.ts';
import { locationOf } from './portal-tables.ts';
import { wrongNumber, type RowReader } from './portal-values.ts';
import { findTable } from './table-references.ts';
import { baseOf } from './value-rules.ts';

type PickerType = Picker['Type'];

export interface Pickers {
  pickers: Picker[];
  /** Per field: the items of a List. */
  items: (string[] | null)[];
  /** Per field: the cells of a List, if its items are in cells. */
  areas: (FoundArea | null)[];
  /** Per field: the query of a Database picker. */
  queries: (PickerQueryDefinition | null)[];
  /** Per field: the values in the table of a Condition. */
  conditionValues: (Record<string, string[]> | null)[];
}

/** The cells of a list, and whether formulas decide its items. */
export interface FoundArea {
  area: ListArea;
  isCalculated: boolean;
}

interface Choice {
  picker: Picker;
  items: string[] | null;
  found?: FoundArea | null;
  query?: PickerQueryDefinition;
  values?: Record<string, string[]>;
}

const NONE: Choice = { picker: { Type: 'None', PreventOtherValues: false }, items: null };

const areaOf = ({ area, isCalculated = false }: ListItems): FoundArea | null => (area ? { area, isCalculated } : null);

export function readPickers(
  model: WorkbookModel,
  view: CellView,
  row: RowReader,
  draft: Draft,
  fields: readonly Field[],
  usages: readonly CellUsage[],
  inputs: readonly Draft[],
): Pickers {
  const types = spread(row, 'Picker', row.choices('Picker', PICKER_TYPES), fields.length);
  // Sources are separated by semicolons, because they may contain commas ("EUR,USD", A1,B2).
  const written = row.text('PickerSource');
  const parts = splitSources(written);
  const sources = spread(row, 'PickerSource', parts, fields.length);
  const choices = fields.map((field, index) => {
    const usage = usages[index]!;
    const source = sources[index] ?? '';
    const type = types[index] ?? (usage === 'Condition' ? 'Condition' : source === '' ? null : 'List');
    return choiceOf(model, view, row, draft, { field, usage, source, type, inputs });
  });
  return {
    // Copy the picker per column: whether it is calculated is determined later, column by column.
    pickers: choices.map(({ picker }) => ({ ...picker })),
    items: choices.map(({ items }) => items),
    areas: choices.map(({ found }) => found ?? null),
    queries: choices.map(({ query }) => query ?? null),
    conditionValues: choices.map(({ values }) => values ?? null),
  };
}

function spread<T>(row: RowReader, column: string, said: readonly T[], count: number): T[] {
  if (said.length === 0 || said.length === count) return [...said];
  if (said.length === 1) return Array.from({ length: count }, () => said[0]!);
  row.addProblem(column, wrongNumber(column, said.length, count), 'Enter one value, or one for each column.');
  return [];
}

interface Wanted {
  field: Field;
  usage: CellUsage;
  source: string;
  type: PickerType | null;
  /** All inputs of the workbook. */
  inputs: readonly Draft[];
}

function choiceOf(model: WorkbookModel, view: CellView, row: RowReader, draft: Draft, wanted: Wanted): Choice {
  switch (wanted.type) {
    case 'None':
      return NONE;
    case 'Database':
      return databaseChoice(row, draft, wanted);
    case 'Condition':
      return conditionChoice(model, view, row, draft, wanted.source);
    case 'List':
      return wanted.source === ''
        ? (validationChoice(model, draft, wanted) ?? missingSource(row, draft))
        : sourceChoice(model, view, row, draft, wanted);
    default:
      return validationChoice(model, draft, wanted) ?? NONE;
  }
}

function missingSource(row: RowReader, draft: Draft): Choice {
  row.addProblem('PickerSource', `The list of '${draft.name}' has no source.`, 'Enter a range, a name, or "A,B,C".');
  return NONE;
}

function validationChoice(model: WorkbookModel, draft: Draft, { field, usage }: Wanted): Choice | null {
  if (field.validation?.type !== 'list' || usage === 'Boolean') return null;
  const { alert, showsError } = field.validation;
  if (field.list === null || isMoved(model, draft, field, field.validation))
    return formulaChoice(model, draft, field, field.validation);
  return {
    picker: { Type: 'List', PreventOtherValues: alert === 'stop' && showsError },
    items: field.list.items,
    found: areaOf(field.list),
  };
}

/** Returns true if a list has different cells in different rows, because its address is relative, as in '$D2:$F2'. */
function isMoved(
  model: WorkbookModel,
  draft: Draft,
  { first, cells, column }: Field,
  validation: DataValidation,
): boolean {
  const formula = placedFormula(draft, validation);
  const isOneList =
    column === null && cells.length === 1 && first.row === formula.base.row && first.col === formula.base.col;
  return !isOneList && placedFormulaProblem(model, formula) === null && !isFixedFormula(formula, model);
}

const placedFormula = ({ area }: Draft, validation: DataValidation): PlacedFormula => ({
  text: validation.formula1,
  sheet: area.sheet,
  base: baseOf(validation),
});

/**
 * Builds a list whose source is a formula (INDIRECT or OFFSET of another input): one list for the whole field, or one
 * per row of a column. A list per row does not prevent other values; the rule of the validation does, because it knows
 * the row.
 */
function formulaChoice(model: WorkbookModel, draft: Draft, field: Field, validation: DataValidation): Choice | null {
  const { sheet } = draft.area;
  const formula = placedFormula(draft, validation);
  if (formula.text === '' || placedFormulaProblem(model, formula) !== null) return null;
  if (!isFixedFormula(formula, model) && field.column) {
    const area: ListArea = { sheet, block: field.column, spills: false, formula, isPerRow: true };
    return {
      picker: { Type: 'List', PreventOtherValues: false, PerRow: true },
      items: [],
      found: { area, isCalculated: true },
    };
  }
  if (field.cells.length > 1 && !isFixedFormula(formula, model)) return null;
  const { row, col } = field.first;
  const area: ListArea = { sheet, block: { top: row, left: col, bottom: row, right: col }, spills: false, formula };
  const PreventOtherValues = validation.alert === 'stop' && validation.showsError;
  return { picker: { Type: 'List', PreventOtherValues }, items: [], found: { area, isCalculated: true } };
}

/** A source that begins with '*' allows other values. */
function sourceChoice(model: WorkbookModel, view: CellView, row: RowReader, draft: Draft, { source }: Wanted): Choice {
  const isOpen = source.startsWith('*');
  const list = listItems(model, view, isOpen ? source.slice(1) : source, null);
  if (list) return { picker: { Type: 'List', PreventOtherValues: !isOpen }, items: list.items, found: areaOf(list) };
  const howToFix =
    'Enter cells with their sheet (Lists!A2:A9), a name, a table\'s column (Currencies[Code]), or "A,B,C".';
  row.addProblem('PickerSource', `The list of '${draft.name}' cannot be read from '${source}'.`, howToFix);
  return NONE;
}

/**
 * Parses 'Warehouse: select …'; a leading '*' allows other values. Whether the connection exists and the query works is
 * checked later, where the connections are known.
 */
function databaseChoice(row: RowReader, draft: Draft, { source, inputs }: Wanted): Choice {
  const isOpen = source.startsWith('*');
  const found = /^([^:]+):(.+)$/su.exec(isOpen ? source.slice(1) : source);
  if (!found) {
    const howToFix = 'Enter the name of a connection, a colon and a query: Warehouse: SELECT Name FROM Customers.';
    row.addProblem('PickerSource', `The database picker of '${draft.name}' has no connection and query.`, howToFix);
    return NONE;
  }
  const { sheet, cell } = draft.row ? locationOf(draft.row, 'PickerSource') : draft.location;
  const query = { Connection: found[1]!.trim(), Query: found[2]!.trim(), Sheet: sheet, Cell: cell };
  const OtherInputs = inputs.map(({ name }) => name).filter((name) => isAskedFor(name, query.Query));
  return { picker: { Type: 'Database', PreventOtherValues: !isOpen, OtherInputs }, items: null, query };
}

/** Parses the query in the dialects of both databases, because the connection's database is not known here. */
function isAskedFor(name: string, query: string): boolean {
  return (['pg', 'mssql'] as const).some((kind) =>
    parseQueryText(query, kind).parameters.some((parameter) => isParameterOf(parameter, name)),
  );
}

/** Splits the sources of the columns at semicolons outside quotes. */
export function splitSources(written: string): string[] {
  if (written === '') return [];
  const parts = written.match(/(?:'(?:[^']|'')*'|"(?:[^"]|"")*"|[^;])*(?:;|$)/gu) ?? [];
  const trimmed = parts.map((part) => part.replace(/;$/, '').trim());
  // The expression also matches an empty text after the last part.
  return written.endsWith(';') ? trimmed : trimmed.slice(0, -1);
}

function conditionChoice(model: WorkbookModel, view: CellView, row: RowReader, draft: Draft, source: string): Choice {
  const table = findTable(model, source);
  if (table) {
    const { columns, values } = conditionTable(view, table);
    const picker: Picker = { Type: 'Condition', PreventOtherValues: false, Columns: columns };
    return { picker, items: null, values };
  }
  const message = `The condition '${draft.name}' needs a table whose columns it can use.`;
  row.addProblem('PickerSource', message, 'Enter the name of an Excel table of this workbook as PickerSource.');
  return NONE;
}
