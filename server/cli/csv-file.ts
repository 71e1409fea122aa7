/** CSV files that people write by hand or in a spreadsheet program: rows with named columns. */
import { readFile, writeFile } from 'node:fs/promises';
import { text as readText } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { counted } from '#shared/codecs/counted.ts';
import { CliError } from './cli-error.ts';

export interface CsvRow<C extends string> {
  /** Line number in the file, where people look for it; the headings are line 1. */
  line: number;
  /** Undefined for a column that the file does not have. */
  cells: Partial<Record<C, string>>;
}

/** The character that csv-stringify puts before texts that a spreadsheet program would take for formulas. */
const ESCAPED = /^'(?=[=+\-@\t\r＝＋－＠])/;

/**
 * Reads a file with headings in any order, ignoring case. Throws CliError for unknown, duplicate or missing headings.
 * @param path '-' for standard input
 */
export async function readCsvRows<C extends string>(
  path: string,
  { columns, required }: { columns: readonly C[]; required: readonly C[] },
): Promise<CsvRow<C>[]> {
  const [headings, ...rows] = (await readLines(path)).lines;
  if (!headings)
    throw new CliError(`${path} is empty: its first line names the columns, such as ${columns.join(', ')}`);
  const names = headings.record.map((given) => {
    const name = columns.find((column) => column.toLowerCase() === given.trim().toLowerCase());
    if (name === undefined)
      throw new CliError(`${path}: there is no column "${given}"; the columns are ${columns.join(', ')}`);
    return name;
  });
  const doubled = names.find((name, index) => names.indexOf(name) !== index);
  if (doubled !== undefined) throw new CliError(`${path}: the column ${doubled} appears twice`);
  const missing = required.find((name) => !names.includes(name));
  if (missing !== undefined) throw new CliError(`${path}: the column ${missing} is missing`);
  return rows.map(({ line, record }) => {
    if (record.length !== names.length) {
      throw new CliError(
        `${path}, line ${line}: it has ${counted(record.length, 'cell')}, but there are ${counted(names.length, 'heading')}`,
      );
    }
    const cells = Object.fromEntries(record.map((cell, col) => [names[col]!, cell.trim().replace(ESCAPED, '')]));
    return { line, cells: cells as CsvRow<C>['cells'] };
  });
}

export interface CsvTable {
  headings: string[];
  rows: string[][];
  style: CsvStyle;
}

/** Reads a file with any headings. Throws CliError if a row has more cells than there are headings. */
export async function readTable(path: string): Promise<CsvTable> {
  const { lines, style } = await readLines(path);
  const [first, ...rows] = lines;
  if (!first) throw new CliError(`${path} is empty: its first line names the inputs`);
  const headings = first.record.map((heading) => heading.trim());
  const doubled = headings.find((name, index) => headings.indexOf(name) !== index);
  if (doubled !== undefined) throw new CliError(`${path}: the column ${doubled} appears twice`);
  for (const { line, record } of rows) {
    if (record.slice(headings.length).every((cell) => cell.trim() === '')) continue;
    const count = `it has ${counted(record.length, 'cell')}, but there are ${counted(headings.length, 'heading')}`;
    throw new CliError(`${path}, line ${line}: ${count}`);
  }
  return { headings, rows: rows.map(({ record }) => record.slice(0, headings.length)), style };
}

interface Line {
  line: number;
  record: string[];
}

/** How a file is written, for files that belong to it. */
export interface CsvStyle {
  /** Null if the headings do not show it, because there is one. */
  separator: ',' | ';' | null;
  /** True if it starts with a byte order mark, which spreadsheet programs need to recognize UTF-8. */
  hasMark: boolean;
}

async function readLines(path: string): Promise<{ lines: Line[]; style: CsvStyle }> {
  let content: string;
  try {
    content = path === '-' ? await readText(process.stdin) : await readFile(path, 'utf8');
  } catch (error) {
    throw new CliError(`${path} cannot be read: ${(error as Error).message}`);
  }
  const separator = separatorOf(content.split('\n', 1)[0]!);
  // A single column may contain numbers with a decimal comma.
  const delimiter = separator ?? ';';
  const options = { bom: true, skip_empty_lines: true, relax_column_count: true, info: true, delimiter };
  try {
    const found = parse(content, options) as unknown as { info: { lines: number }; record: string[] }[];
    const lines = found.map(({ info, record }) => ({ line: info.lines, record }));
    return { lines, style: { separator, hasMark: content.startsWith('\uFEFF') } };
  } catch (error) {
    throw new CliError(`${path} is not a CSV file: ${(error as Error).message}`);
  }
}

/**
 * Returns the separator of a file with this first line. In half of Europe, spreadsheet programs write semicolons, and
 * decimal commas between them.
 * @param width number of columns, if it is known
 */
export function separatorOf(line: string, width?: number): CsvStyle['separator'] {
  const unquoted = line.replaceAll(/"[^"]*"/g, '');
  const count = (separator: string): number => unquoted.split(separator).length - 1;
  if (count(';') + count(',') === 0) return null;
  return count(';') >= count(',') || (count(';') > 0 && count(';') + 1 === width) ? ';' : ',';
}

/** Writes a new file; spreadsheet programs do not interpret its texts as formulas. */
export async function writeCsvRows<C extends string>(
  path: string,
  columns: readonly C[],
  rows: readonly Record<C, string>[],
): Promise<void> {
  const text = stringify([...rows], { header: true, columns: [...columns], escape_formulas: true, bom: true });
  try {
    // Names and mail addresses are private.
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CliError(code === 'EEXIST' ? `${path} already exists` : `${path} cannot be written: ${message}`);
  }
}

const YES = /^(yes|true|1|x)$/i;
const NO = /^(no|false|0|)$/i;

export function readFlag(text: string, where: string): boolean {
  if (YES.test(text)) return true;
  if (NO.test(text)) return false;
  throw new CliError(`${where}: "${text}" is neither yes nor no`);
}
