/** Inputs on the command line: NAME=VALUE, NAME=@FILE, and a JSON file. */
import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { parse as parseCsv } from 'csv-parse/sync';
import type { Client } from '#shared/client/client.ts';
import { findInput, type GivenCell, type GivenInputs, type GivenValue } from '#shared/client/inputs.ts';
import { uploadInputFile } from '#shared/client/runs.ts';
import { isFileInput, valueShape, type FormFile } from '#shared/codecs/input-form.ts';
import type { Activity } from '#shared/contract/activities.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { isBlankLine, countsBlankRows } from '#shared/rules/blank-rows.ts';
import { CliError } from './cli-error.ts';
import { separatorOf } from './csv-file.ts';

/** Maximum size in bytes of a table or of JSON; Excel files of that size have far more than a million cells. */
const LARGEST_TEXT = 256 * 1024 * 1024;

interface InputOptions {
  /** '-' for standard input. */
  jsonFile: string | undefined;
  /** Prints a line about skipped data. */
  printMessage: (text: string) => void;
}

/** Collects the inputs of the command line and uploads their files. @param pairs as written: 'Amount=12 %' */
export async function collectInputs(
  client: Client,
  activity: Activity,
  pairs: readonly string[],
  { jsonFile, printMessage }: InputOptions,
): Promise<GivenInputs> {
  const { values, files } = await collectInputPaths(activity, pairs, { jsonFile, printMessage });
  const inputs: Record<string, GivenValue | FormFile[]> = { ...values };
  for (const [input, paths] of files) inputs[input.Name] = await uploadAll(client, input, paths);
  return inputs;
}

/** The same, but returns the paths of files by input. */
export async function collectInputPaths(
  activity: Pick<Activity, 'Name' | 'Inputs'>,
  pairs: readonly string[],
  { jsonFile, printMessage }: InputOptions,
): Promise<{ values: Record<string, GivenValue>; files: Map<Input, string[]> }> {
  const written: [name: string, value: unknown][] =
    jsonFile === undefined ? [] : Object.entries(await readJson(jsonFile));
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at <= 0) throw new CliError(`"${pair}" is not an input: write NAME=VALUE or NAME=@FILE`);
    written.push([pair.slice(0, at), pair.slice(at + 1)]);
  }
  const values: Record<string, GivenValue> = {};
  const files = new Map<Input, string[]>();
  for (const [name, value] of written) {
    const input = findInput(activity, name);
    if (isFileInput(input.Info)) files.set(input, [...(files.get(input) ?? []), ...pathsOf(input, value)]);
    else if (Object.hasOwn(values, input.Name)) throw new CliError(`${input.Name}: there is more than one value`);
    else values[input.Name] = await readValue(input, value, printMessage);
  }
  return { values, files };
}

function pathsOf({ Name }: Input, value: unknown): string[] {
  const paths = [value].flat().map((one) => (typeof one === 'string' && one.startsWith('@') ? one.slice(1) : ''));
  if (paths.length === 0 || paths.includes('')) throw new CliError(`${Name}: the value must be a file: ${Name}=@FILE`);
  return paths;
}

async function uploadAll(client: Client, input: Input, paths: readonly string[]): Promise<FormFile[]> {
  if (paths.length > 1 && valueShape(input.Info) === 'cell')
    throw new CliError(`${input.Name}: only one file is allowed`);
  const sent: FormFile[] = [];
  for (const path of paths) {
    sent.push(await uploadInputFile(client, input.Id, { name: basename(path), content: await openFile(path) }));
  }
  return sent;
}

/** Opens a file that is read while it is sent. Throws CliError. */
export async function openFile(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path);
  } catch (error) {
    throw cannotRead(path, error);
  }
}

/** For a list or table, '@FILE' is a CSV file; for a single cell, it is ordinary text. */
async function readValue(
  input: Input,
  value: unknown,
  printMessage: InputOptions['printMessage'],
): Promise<GivenValue> {
  if (typeof value !== 'string' || valueShape(input.Info) === 'cell') return value as GivenValue;
  if (!value.startsWith('@'))
    throw new CliError(`${input.Name}: the input has several cells, so pass a CSV file: ${input.Name}=@FILE`);
  const { ColumnHeaderValues, Width } = input.Info;
  const width = valueShape(input.Info) === 'list' ? 1 : ColumnHeaderValues.length || Width;
  const rows = withoutBlankRows(input, value.slice(1), await readCsv(value.slice(1), width), printMessage);
  if (valueShape(input.Info) === 'list') return rows.map((row) => requireWidth(value, row, 1)[0] ?? null);
  const headings = ColumnHeaderValues;
  const same = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();
  const [first] = rows;
  const isHeaded = first?.every((cell) => headings.some((heading) => same(heading, cell ?? ''))) ?? false;
  if (!first || !isHeaded) return rows;
  return rows.slice(1).map((row) => {
    requireWidth(value, row, first.length);
    return Object.fromEntries(first.map((heading, col) => [heading, row[col] ?? null]));
  });
}

/** Skips rows whose cells are all blank, as when pasting into a grid. */
function withoutBlankRows(
  { Info, Name }: Input,
  file: string,
  rows: (string | null)[][],
  printMessage: InputOptions['printMessage'],
): (string | null)[][] {
  if (countsBlankRows(Info)) return rows;
  const nonBlank = rows.filter((row) => !isBlankLine(row));
  const last = rows.findLastIndex((row) => !isBlankLine(row));
  const between = last + 1 - nonBlank.length;
  if (between > 0)
    printMessage(`${Name}: skipped ${between === 1 ? '1 blank row' : `${between} blank rows`} of ${file}`);
  return nonBlank;
}

/** A row with more cells than columns was split in the wrong place, for example at a decimal comma. Throws CliError. */
function requireWidth<Row extends readonly (string | null)[]>(file: string, row: Row, width: number): Row {
  if (row.slice(width).every((cell) => (cell ?? '').trim() === '')) return row;
  const allowed = width === 1 ? 'one cell' : `${width} cells`;
  throw new CliError(
    `${file.slice(1)}: the row ${row.join(',')} has more than ${allowed}; put a value with a comma in quotes`,
  );
}

/** @param width number of columns of the input */
async function readCsv(path: string, width: number): Promise<(string | null)[][]> {
  const content = await readWhole(path);
  try {
    const rows = parseCsv(content, {
      bom: true,
      delimiter: separatorOf(content.split('\n', 1)[0]!, width) ?? ',',
      skip_empty_lines: true,
      relax_column_count: true,
    }) as unknown as string[][];
    return rows.map((row) => row.map((cell) => (cell === '' ? null : cell)));
  } catch (error) {
    throw new CliError(`${path} is not a CSV file: ${(error as Error).message}`);
  }
}

async function readJson(path: string): Promise<Record<string, GivenCell>> {
  let value: unknown;
  try {
    value = JSON.parse(await readWhole(path));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CliError(`${path} is not JSON: ${error.message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CliError(`${path} must contain an object with the names of inputs as keys`);
  }
  return value as Record<string, GivenCell>;
}

async function readWhole(path: string): Promise<string> {
  try {
    const content = path === '-' ? await readText(process.stdin) : await readFile(path, 'utf8');
    if (content.length > LARGEST_TEXT) throw new Error('it is too large');
    return content;
  } catch (error) {
    throw cannotRead(path, error);
  }
}

function cannotRead(path: string, error: unknown): CliError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code === 'ENOENT' ? 'there is no such file' : message;
  return new CliError(`${path} cannot be read: ${reason}`);
}
