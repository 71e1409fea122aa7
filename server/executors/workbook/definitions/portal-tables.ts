/** Reads the tables of the Portal sheet as texts: one object per row, without blank rows. */
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import { tableBody } from './blocks.ts';
import type { CellView } from './cell-view.ts';
import type { ProblemList, ProblemLocation } from './problems.ts';
import { problem } from './problems.ts';

export const PORTAL_COLUMNS = {
  PortalSettings: ['Name', 'Value'],
  PortalInputs: [
    'Name',
    'Range',
    'RangeType',
    'Headers',
    'CellUsages',
    'Specification',
    'Blanks',
    'Picker',
    'PickerSource',
    'MaxSize',
    'AllowDefaultValue',
    'Display',
    'Description',
    'SampleFile',
    'Section',
    'HasAccess',
    'Order',
  ],
  PortalOutputs: [
    'Name',
    'Range',
    'RangeType',
    'Headers',
    'CellUsages',
    'Description',
    'CalculateImmediately',
    'Plot',
    'Order',
  ],
  PortalSteps: [
    'Step',
    'Action',
    'When',
    'Input',
    'Table',
    'Pattern',
    'Sheet',
    'HeaderRow',
    'Encoding',
    'Delimiter',
    'DecimalSeparator',
    'DateFormat',
    'Cell',
    'Message',
    'Severity',
    'Connection',
    'Query',
    'MaxRows',
    'TimeLimit',
    'Target',
    'Mode',
    'Columns',
    'KeyColumns',
    'Output',
    'Range',
    'Format',
    'FileName',
    'Type',
    'Minutes',
    'To',
    'Cc',
    'Subject',
    'Attach',
    'Activity',
    'KeyColumn',
    'AtOnce',
    'StopAfterFailures',
  ],
} as const;

export type PortalTableName = keyof typeof PORTAL_COLUMNS;

/** Alternative spellings of columns that people use. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['hasaccessright', 'HasAccess'],
  ['cellusage', 'CellUsages'],
  ['cells', 'Cell'],
]);

export interface PortalCell {
  /** As the sheet shows it, without number formats; '' if blank. */
  text: string;
  location: ProblemLocation;
  hasFormula: boolean;
}

/** A row by column name; columns that the table lacks are absent. */
export interface PortalRow {
  location: ProblemLocation;
  cells: ReadonlyMap<string, PortalCell>;
}

export type PortalTables = Record<PortalTableName, PortalRow[]>;

export function readPortalTables(model: WorkbookModel, view: CellView, problems: ProblemList): PortalTables {
  const tables: PortalTables = { PortalSettings: [], PortalInputs: [], PortalOutputs: [], PortalSteps: [] };
  for (const table of model.tables) {
    const name = portalTableName(table.name);
    if (name) tables[name] = readRows(model, view, table, name, problems);
    else checkStranger(model, table, problems);
  }
  return tables;
}

function portalTableName(name: string): PortalTableName | undefined {
  return (Object.keys(PORTAL_COLUMNS) as PortalTableName[]).find((known) => known.toLowerCase() === name.toLowerCase());
}

/**
 * Reports a table on the Portal sheet that looks like one of ours but is called 'Table1': it would be ignored silently.
 */
function checkStranger(model: WorkbookModel, table: TableModel, problems: ProblemList): void {
  const sheet = model.sheets[table.sheet]!.name;
  const isOnPortal = sheet.toLowerCase() === 'portal';
  const looksLikeOurs = table.columns.some(({ name }) => ['name', 'action'].includes(name.trim().toLowerCase()));
  if (!/^portal/i.test(table.name) && !(isOnPortal && looksLikeOurs)) return;
  problems.add(
    { sheet, cell: formatCell(table.block.top, table.block.left) },
    problem(
      `The portal does not know the table '${table.name}'.`,
      'Name it PortalSettings, PortalInputs, PortalOutputs or PortalSteps (Table Design, Table Name), or move it to another sheet.',
    ),
  );
}

function readRows(
  model: WorkbookModel,
  view: CellView,
  table: TableModel,
  name: PortalTableName,
  problems: ProblemList,
): PortalRow[] {
  const columns = readColumns(model, table, name, problems);
  const body = tableBody(table);
  const sheet = model.sheets[table.sheet]!.name;
  const rows: PortalRow[] = [];
  for (let row = body.top; row <= body.bottom; row++) {
    const cells = new Map<string, PortalCell>();
    for (const [index, column] of columns.entries()) {
      if (column === null) continue;
      const { value, formula } = view.cell(table.sheet, row, body.left + index);
      const location = { sheet, cell: formatCell(row, body.left + index) };
      cells.set(column, { text: cellText(value), location, hasFormula: formula !== null });
    }
    const isBlank = [...cells.values()].every(({ text }) => text === '');
    if (!isBlank) rows.push({ location: { sheet, cell: formatCell(row, body.left) }, cells });
  }
  return rows;
}

function cellText(value: CellValue): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (value instanceof CellError) return value.code;
  return value === null ? '' : String(value).trim();
}

/** Returns our spelling of each column, null for an unknown one. */
function readColumns(
  model: WorkbookModel,
  table: TableModel,
  name: PortalTableName,
  problems: ProblemList,
): (string | null)[] {
  const known: readonly string[] = PORTAL_COLUMNS[name];
  const seen = new Set<string>();
  return table.columns.map((column, index) => {
    const plain = column.name.replace(/[\s_]/g, '').toLowerCase();
    const found = known.find((candidate) => candidate.toLowerCase() === plain) ?? ALIASES.get(plain);
    if (found !== undefined && known.includes(found) && !seen.has(found)) {
      seen.add(found);
      return found;
    }
    const message = seen.has(found ?? '')
      ? `The table ${name} has the column '${column.name}' twice.`
      : `The table ${name} has a column '${column.name}', which the portal does not know.`;
    const location = {
      sheet: model.sheets[table.sheet]!.name,
      cell: formatCell(table.block.top, table.block.left + index),
    };
    problems.add(location, problem(message, `Remove the column. Known columns: ${known.join(', ')}.`));
    return null;
  });
}

/** Returns the text of a column; '' if the row does not have it. */
export const textOf = (row: PortalRow, column: string): string => row.cells.get(column)?.text ?? '';

/** Returns the cell to report for a column of a row. */
export const locationOf = (row: PortalRow, column: string): ProblemLocation =>
  row.cells.get(column)?.location ?? row.location;
