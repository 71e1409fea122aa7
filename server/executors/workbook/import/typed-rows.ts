/**
 * Converts rows of a file to the types of a table's columns, matched by column name. Cells that do not fit are
 * reported: up to MOST_FAULTS one by one, the rest by number.
 */
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import { columnLetters } from '#shared/codecs/cell-address.ts';
import { isSerialDate } from '#shared/codecs/serial-date.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import { ImportError } from './decode-text.ts';
import type { FileRows } from './file-rows.ts';
import type { DateOrder } from './parse-dates.ts';
import { findOrder, orderOf, parseFileDate } from './parse-dates.ts';
import type { DecimalSeparator, Separator } from './parse-numbers.ts';
import { findSeparator, parseFileNumber } from './parse-numbers.ts';

export interface TargetColumn {
  name: string;
  usage: CellUsage;
  /** True if the column's type was inferred. As in Excel, it then also accepts texts that are not of that type. */
  isGuessed: boolean;
  /** True if a formula fills the column: the file may omit it. */
  isCalculated: boolean;
}

export interface TypedRows {
  /** In the order of the target's columns; null if the file has no value. */
  rows: CellValue[][];
  /** Messages about cells that do not fit. */
  problems: string[];
  /** Columns of the file that the table does not have. */
  unused: string[];
}

/** How the file writes numbers and dates. */
export interface Notation {
  /** As stated by the author of the step; null to determine it from the file. */
  decimalSeparator: DecimalSeparator | null;
  dateFormat: string | null;
  /** Region of the workbook, which resolves what the file leaves open. Null if unknown. */
  region: { decimal: DecimalSeparator; dayOrder: 'dmy' | 'mdy' | 'ymd' } | null;
}

/** Maximum number of bad cells that are reported one by one. */
const MAX_REPORTED_CELLS = 100;

interface Source {
  target: TargetColumn;
  /** Index of the column in the file; -1 if it is missing. */
  index: number;
  order: DateOrder;
}

/** Throws ImportError if columns are missing. */
export function typeRows(file: FileRows, targets: readonly TargetColumn[], notation: Notation): TypedRows {
  const sources = matchColumns(file, targets, notation);
  const separator = notation.decimalSeparator ?? decided(separatorOf(file, sources), notation.region?.decimal);
  const result: TypedRows = { rows: [], problems: [], unused: unusedColumns(file, sources) };
  let bad = 0;
  const addProblem = (problem: string): void => {
    bad += 1;
    if (bad <= MAX_REPORTED_CELLS) result.problems.push(problem);
  };
  for (const { row, cells } of file.rows) {
    const values: CellValue[] = [];
    for (const source of sources) {
      const cell = source.index < 0 ? null : (cells[source.index] ?? null);
      const value = convert(cell, source, separator, file.isText);
      if (typeof value === 'object' && value !== null && 'problem' in value) {
        addProblem(`row ${row}, column '${source.target.name}' (${columnLetters(source.index)}): ${value.problem}`);
        values.push(null);
      } else values.push(value);
    }
    for (const problem of extraCellProblems(file, row, cells)) addProblem(problem);
    result.rows.push(values);
  }
  if (bad > MAX_REPORTED_CELLS) result.problems.push(moreText(bad - MAX_REPORTED_CELLS));
  return result;
}

const moreText = (count: number): string =>
  count === 1 ? '1 more cell does not fit its column' : `${count} more cells do not fit their columns`;

/** Returns what the file proves, otherwise what is usual in the region. */
const decided = <Proved extends string>(proved: Proved | 'unknown', usual: Proved | undefined): Proved | 'unknown' =>
  proved === 'unknown' ? (usual ?? proved) : proved;

/** In a text file, a value beyond the last column name means that its line was split in the wrong place. */
function extraCellProblems({ headers, isText }: FileRows, row: number, cells: readonly CellValue[]): string[] {
  if (!isText || cells.length <= headers.length) return [];
  return cells.slice(headers.length).flatMap((cell, at) => {
    const text = String(cell ?? '').trim();
    if (text === '') return [];
    return [`row ${row}, column ${columnLetters(headers.length + at)}: there is no column name above '${shown(text)}'`];
  });
}

function matchColumns(file: FileRows, targets: readonly TargetColumn[], notation: Notation): Source[] {
  const names = file.headers.map((header) => header.toLowerCase());
  const missing: string[] = [];
  // In regions that put the year first, the order of dates that end with the year is unknown.
  const dayOrder = notation.region?.dayOrder === 'ymd' ? undefined : notation.region?.dayOrder;
  const sources = targets.map((target): Source => {
    const wanted = target.name.trim().toLowerCase();
    const index = names.indexOf(wanted);
    if (index >= 0 && names.indexOf(wanted, index + 1) >= 0)
      throw new ImportError(`the file has the column '${target.name}' twice`);
    if (index < 0 && !target.isCalculated) missing.push(`'${target.name}'`);
    const texts = target.usage === 'Date' && index >= 0 ? textsOf(file, index) : [];
    const order = notation.dateFormat === null ? decided(findOrder(texts), dayOrder) : orderOf(notation.dateFormat);
    return { target, index: target.isCalculated ? -1 : index, order };
  });
  if (missing.length === 0) return sources;
  const has = file.headers.filter((name) => name !== '').map((name) => `'${name}'`);
  const what = missing.length === 1 ? `column ${missing[0]}` : `columns ${missing.join(', ')}`;
  throw new ImportError(`the file has no ${what}; it has ${has.slice(0, 30).join(', ')}`);
}

function unusedColumns({ headers }: FileRows, sources: readonly Source[]): string[] {
  const known = new Set(sources.map(({ target }) => target.name.trim().toLowerCase()));
  return headers.filter((name) => name !== '' && !known.has(name.toLowerCase()));
}

function* textsOf({ rows }: FileRows, index: number): Generator<string> {
  for (const { cells } of rows) {
    const cell = cells[index];
    if (typeof cell === 'string') yield cell;
  }
}

function separatorOf(file: FileRows, sources: readonly Source[]): Separator {
  const numbers = sources.filter(({ target, index }) => target.usage === 'Number' && index >= 0);
  const texts = numbers.flatMap(({ index }) => [...textsOf(file, index)]);
  return findSeparator(texts, file.delimiter === ',');
}

/**
 * A converted cell, or why it does not fit. `isAmbiguous` means that the value may be of the right type, but can be
 * read in two ways.
 */
type Converted = CellValue | { problem: string; isAmbiguous?: true };

function convert(cell: CellValue, source: Source, separator: Separator, isText: boolean): Converted {
  if (cell === null || (typeof cell === 'string' && cell.trim() === '')) return null;
  if (cell instanceof CellError) return { problem: `the cell holds the error ${cell.code}` };
  const value = convertTo(cell, source, separator, isText);
  const isOther = typeof value === 'object' && value !== null && 'problem' in value && !value.isAmbiguous;
  return isOther && source.target.isGuessed && typeof cell === 'string' ? cell.trim() : value;
}

function convertTo(
  cell: number | string | boolean,
  { target, order }: Source,
  separator: Separator,
  isText: boolean,
): Converted {
  switch (target.usage) {
    case 'Number':
      return toNumber(cell, separator);
    case 'Date':
      return toDate(cell, order);
    case 'Boolean':
      return toBoolean(cell);
    default:
      // In a text file, a blank next to a delimiter has no meaning; in a sheet, somebody typed it.
      return typeof cell === 'string' && isText
        ? cell.trim()
        : typeof cell === 'boolean'
          ? String(cell).toUpperCase()
          : String(cell);
  }
}

/** Returns who must decide how to read a value. The region cannot resolve a file that contradicts itself. */
const whoSays = (option: string, proved: 'unknown' | 'both'): string =>
  proved === 'both'
    ? `; the step's ${option} has to say which`
    : `: the step's ${option} or the region of the workbook has to say which`;

function toNumber(cell: number | string | boolean, separator: Separator): Converted {
  if (typeof cell === 'number') return cell;
  const text = String(cell);
  if (separator === 'both' || separator === 'unknown') {
    const [point, comma] = [parseFileNumber(text, '.'), parseFileNumber(text, ',')];
    if (point !== null && point === comma) return point;
    if (point === null && comma === null) return { problem: `'${shown(text)}' is not a number` };
    return {
      problem: `'${shown(text)}' may be read in two ways${whoSays('DecimalSeparator', separator)}`,
      isAmbiguous: true,
    };
  }
  const value = parseFileNumber(text, separator);
  return value ?? { problem: `'${shown(text)}' is not a number` };
}

function toDate(cell: number | string | boolean, order: DateOrder): Converted {
  if (typeof cell === 'number') return isSerialDate(cell) ? cell : { problem: `${cell} is not a date` };
  const text = String(cell);
  if (order === 'unknown' || order === 'both') {
    const [day, month] = [parseFileDate(text, 'dmy'), parseFileDate(text, 'mdy')];
    if (day !== null && day === month) return day;
    if (day === null && month === null) return { problem: `'${shown(text)}' is not a date` };
    return {
      problem: `'${shown(text)}' may be read in two ways${whoSays('DateFormat', order)}`,
      isAmbiguous: true,
    };
  }
  const value = parseFileDate(text, order);
  return value ?? { problem: `'${shown(text)}' is not a date` };
}

const TRUE_WORDS = ['true', 'yes', 'y', '1'];
const FALSE_WORDS = ['false', 'no', 'n', '0'];

function toBoolean(cell: number | string | boolean): Converted {
  if (typeof cell === 'boolean') return cell;
  const text = String(cell).trim().toLowerCase();
  if (TRUE_WORDS.includes(text)) return true;
  return FALSE_WORDS.includes(text) ? false : { problem: `'${shown(String(cell))}' is neither true nor false` };
}

const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
