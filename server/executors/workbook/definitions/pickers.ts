/** What an input offers to pick from: its validation's list, or what the Portal sheet says. */
import type { ListArea } from '#server/executors/executor.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellUsage, Picker } from '#shared/contract/parameters.ts';
import { PICKER_TYPES } from '#shared/contract/parameters.ts';
import type { CellView } from './cell-view.ts';
import type { Field } from './fields.ts';
import { listItems } from './list-items.ts';
import type { ListItems } from './list-items.ts';
import type { Draft } from './parameters.ts';
import type { RowReader } from './portal-values.ts';
import { findTable } from './table-references.ts';

type PickerType = Picker['Type'];

export interface Pickers {
  pickers: Picker[];
  /** Per field: items of a List; columns that a Condition may name. */
  items: (string[] | null)[];
  /** Per field: the cells of a List, where it stands in cells. */
  areas: (FoundArea | null)[];
}

/** Where a list stands, and whether formulas decide its items. */
export interface FoundArea {
  area: ListArea;
  isCalculated: boolean;
}

interface Choice {
  picker: Picker;
  items: string[] | null;
  found?: FoundArea | null;
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
): Pickers {
  const types = spread(row, 'Picker', row.choices('Picker', PICKER_TYPES), fields.length);
  // Sources hold commas themselves ("EUR,USD", A1,B2), so that semicolons part them.
  const written = row.text('PickerSource');
  const parts = written === '' ? [] : written.split(';').map((part) => part.trim());
  const sources = spread(row, 'PickerSource', parts, fields.length);
  const choices = fields.map((field, index) => {
    const usage = usages[index]!;
    const source = sources[index] ?? '';
    const type = types[index] ?? (usage === 'Condition' ? 'Condition' : source === '' ? null : 'List');
    return choiceOf(model, view, row, draft, { field, usage, source, type });
  });
  return {
    // A picker of its own for each column: whether it is calculated is found out later, column by column.
    pickers: choices.map(({ picker }) => ({ ...picker })),
    items: choices.map(({ items }) => items),
    areas: choices.map(({ found }) => found ?? null),
  };
}

function spread<T>(row: RowReader, column: string, said: readonly T[], count: number): T[] {
  if (said.length === 0 || said.length === count) return [...said];
  if (said.length === 1) return Array.from({ length: count }, () => said[0]!);
  row.fault(column, `${column} has ${said.length} values for ${count} columns.`, 'Enter one, or one for each column.');
  return [];
}

interface Wanted {
  field: Field;
  usage: CellUsage;
  source: string;
  type: PickerType | null;
}

function choiceOf(model: WorkbookModel, view: CellView, row: RowReader, draft: Draft, wanted: Wanted): Choice {
  switch (wanted.type) {
    case 'None':
      return NONE;
    case 'Database':
      row.fault(
        'Picker',
        `The input '${draft.name}' picks from a database, for which this version has no connections.`,
        'Use a List.',
      );
      return NONE;
    case 'Condition':
      return conditionChoice(model, row, draft, wanted.source);
    case 'List':
      return wanted.source === ''
        ? (validationChoice(wanted) ?? missingSource(row, draft))
        : sourceChoice(model, view, row, draft, wanted);
    default:
      return validationChoice(wanted) ?? NONE;
  }
}

function missingSource(row: RowReader, draft: Draft): Choice {
  row.fault('PickerSource', `The list of '${draft.name}' has no source.`, 'Enter a range, a name, or "A,B,C".');
  return NONE;
}

function validationChoice({ field, usage }: Wanted): Choice | null {
  if (field.validation?.type !== 'list' || field.list === null || usage === 'Boolean') return null;
  const { alert, showsError } = field.validation;
  return {
    picker: { Type: 'List', PreventOtherValues: alert === 'stop' && showsError },
    items: field.list.items,
    found: areaOf(field.list),
  };
}

/** A source that begins with '*' lets other values through. */
function sourceChoice(model: WorkbookModel, view: CellView, row: RowReader, draft: Draft, { source }: Wanted): Choice {
  const isOpen = source.startsWith('*');
  const list = listItems(model, view, isOpen ? source.slice(1) : source, null);
  if (list) return { picker: { Type: 'List', PreventOtherValues: !isOpen }, items: list.items, found: areaOf(list) };
  const remedy =
    'Enter cells with their sheet (Lists!A2:A9), a name, a table\'s column (Currencies[Code]), or "A,B,C".';
  row.fault('PickerSource', `The list of '${draft.name}' cannot be read from '${source}'.`, remedy);
  return NONE;
}

function conditionChoice(model: WorkbookModel, row: RowReader, draft: Draft, source: string): Choice {
  const table = findTable(model, source);
  if (table) {
    const items = table.columns.map(({ name }) => name);
    return { picker: { Type: 'Condition', PreventOtherValues: false }, items };
  }
  const message = `The condition '${draft.name}' needs the table whose columns it may name.`;
  row.fault('PickerSource', message, 'Enter the name of an Excel table of this workbook as PickerSource.');
  return NONE;
}
