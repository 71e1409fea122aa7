/** A workbook for entering rows, or for showing their results. Texts stay texts: no cell content becomes a formula. */
import type { Validation } from '#server/base/xlsx/sheet-xml.ts';
import { buildWorkbook } from '#server/base/xlsx/stream-workbook.ts';
import type { WorkbookWriter } from '#server/base/xlsx/workbook-writer.ts';
import { columnLetters } from '#shared/codecs/cell-address.ts';
import { cellFormat, cellValue } from './table-workbook.ts';
import type { CellUsage, ValueRule } from '#shared/contract/parameters.ts';

export interface RowColumn {
  header: string;
  usage: CellUsage;
  format: string;
  /** Description of the column for the notes sheet. */
  note: string;
  isRequired: boolean;
  /** Items of a list that allows no other values. */
  items: string[] | null;
  rule: ValueRule | null;
  /** True if the portal fills the column. */
  isResult: boolean;
}

export interface RowWorkbook {
  sheetName: string;
  columns: RowColumn[];
  rows: unknown[][];
  /** Number of rows that may be entered below the headers; 0 if the workbook shows results. */
  entered: number;
  /** Lines above the list of columns. */
  notes: string[];
}

const LISTS = 'Lists';
const NOTES = 'Notes';

export function buildRowWorkbook({ sheetName, columns, rows, entered, notes }: RowWorkbook): Promise<Uint8Array> {
  return buildWorkbook(async (workbook) => {
    const sheet = workbook.addSheet({
      name: sheetName,
      columns: columns.map((column) => ({
        width: Math.min(50, Math.max(12, column.header.length + 2)),
        format: formatOf(column),
      })),
      frozenRows: 1,
      validations: entered > 0 ? columns.flatMap((column, at) => validationOf(column, at, entered)) : [],
    });
    await sheet.addRow(
      columns.map(({ header }) => cellValue(header)),
      (col) => ({ isBold: true, fill: fillOf(columns[col]!) }),
    );
    for (const [at, { note }] of columns.entries()) if (note !== '') sheet.addNote(0, at, note.slice(0, 1000));
    for (const cells of rows) await sheet.addRow(cells.map(cellValue));
    sheet.end();
    await addNotes(workbook, columns, notes);
    if (columns.some(({ items }) => items !== null)) await addLists(workbook, columns);
  });
}

const formatOf = ({ format, usage, isResult }: RowColumn): string | undefined =>
  // Keeps a text that looks like a number, such as 007, as typed.
  cellFormat(format, usage === 'Date') ?? (usage === 'Text' && !isResult ? '@' : undefined);

const fillOf = ({ isResult, isRequired }: RowColumn): string =>
  isResult ? 'D9EAD3' : isRequired ? 'FFF2CC' : 'EFEFEF';

async function addNotes(
  workbook: WorkbookWriter,
  columns: readonly RowColumn[],
  notes: readonly string[],
): Promise<void> {
  const sheet = workbook.addSheet({ name: NOTES, columns: [32, 14, 14, 90].map((width) => ({ width })) });
  for (const note of notes) await sheet.addRow([cellValue(note)]);
  await sheet.addRow([]);
  await sheet.addHeadings(['Column', 'Kind', 'Needed', 'What it is']);
  for (const { header, usage, isRequired, isResult, note } of columns) {
    const needed = isResult ? 'result' : isRequired ? 'yes' : 'no';
    await sheet.addRow([header, usage, needed, note].map(cellValue));
  }
  sheet.end();
}

/** Adds the items of each list below each other, in the position of its column. */
async function addLists(workbook: WorkbookWriter, columns: readonly RowColumn[]): Promise<void> {
  const sheet = workbook.addSheet({ name: LISTS, isHidden: true });
  const length = columns.reduce((max, { items }) => Math.max(max, items?.length ?? 0), 0);
  for (let row = 0; row < length; row += 1) await sheet.addRow(columns.map(({ items }) => cellValue(items?.[row])));
  sheet.end();
}

const ANY_NUMBER = [-1e300, 1e300];
/** The range of dates that Excel supports. */
const ANY_DAY = [0, 2_958_465.99999];

/** Returns the rule of the rows to enter below the header, if there is one. */
function validationOf(column: RowColumn, at: number, entered: number): Validation[] {
  const { header, usage, items, rule, isRequired, isResult } = column;
  if (isResult) return [];
  const letters = columnLetters(at);
  const shared = {
    range: `${letters}2:${letters}${entered + 1}`,
    allowsBlank: !isRequired,
    error: `${header} cannot have this value`,
  };
  if (items && items.length > 0)
    return [{ ...shared, type: 'list', formulas: [`${LISTS}!$${letters}$1:$${letters}$${items.length}`] }];
  if (usage === 'Boolean') return [{ ...shared, type: 'list', formulas: ['"TRUE,FALSE"'] }];
  const own = rule && ownRule(rule);
  if (own) return [{ ...shared, ...own, ...(rule.Text === '' ? {} : { error: rule.Text }) }];
  if (usage === 'Number') return [{ ...shared, type: 'decimal', formulas: ANY_NUMBER }];
  return usage === 'Date' ? [{ ...shared, type: 'decimal', formulas: ANY_DAY }] : [];
}

/** Compares dates as numbers, which do not depend on a time zone. */
function ownRule({ Type, Operator, Bounds, Calculated, Alert }: ValueRule) {
  if (Calculated || Alert !== 'Stop' || Type === 'custom' || Type === 'list') return null;
  const type = Type === 'whole' || Type === 'textLength' ? Type : ('decimal' as const);
  return { type, operator: Operator, formulas: Bounds };
}
