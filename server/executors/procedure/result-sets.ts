/**
 * Collects the result sets of a call. Small ones become tables of outputs, large ones become files; none is truncated.
 */
import { RESULT_CHARACTERS, RESULT_ROWS } from '#shared/contract/procedure-settings.ts';
import { Category, LogCode } from '#shared/rules/log-codes.ts';
import type { OutputFile, RunLogLine, RunOutcome } from '../executor.ts';
import { safeFileName } from '../file-name.ts';
import type { ProcedureCell, ProcedureRows } from '#server/base/procedure-types.ts';
import type { DeclaredResult, ProcedureDefinition } from '../procedure-definition.ts';
import { createValueConverter, inexactValueLines, type ValueConverter } from './value-converter.ts';
import { outputUsage } from './result-cells.ts';
import { openResultFile, type FileColumn, type ResultFile } from './result-file.ts';

export interface ResultSets {
  /** Throws ProcedureRefused if neither an output nor a file can hold the rows. */
  add(rows: ProcedureRows): Promise<void>;
  /** `warned` is true if a result set came that the version does not declare. */
  end(): Promise<Pick<RunOutcome, 'outputs' | 'files'> & { warned: boolean }>;
  discard(): void;
}

interface ResultSet {
  position: number;
  title: string;
  declared: DeclaredResult | null;
  columns: FileColumn[];
  /** For each column of the output or file, the index of the database column. */
  order: number[];
  /** Rows held in memory; empty once they were moved to a file. */
  rows: ProcedureCell[][];
  count: number;
  characters: number;
  file: ResultFile | null;
}

export function createResultSets(
  { results, settings }: Pick<ProcedureDefinition, 'results' | 'settings'>,
  say: (line: RunLogLine) => void,
): ResultSets {
  const sets = new Map<number, ResultSet>();
  const format = settings.LargeResultFormat;

  async function toFile(set: ResultSet): Promise<void> {
    set.file = openResultFile(format, set.title, set.columns);
    await set.file.add(set.rows);
    set.rows = [];
  }

  return {
    add: async ({ result, columns, rows }) => {
      let set = sets.get(result);
      if (!set) sets.set(result, (set = openSet(result, columns, results[result - 1] ?? null)));
      const { order } = set;
      const own = rows.map((row) => order.map((col) => row[col] ?? null));
      set.count += own.length;
      if (set.file) return set.file.add(own);
      for (const row of own) set.rows.push(row);
      set.characters += own.reduce((sum, row) => sum + charactersOf(row), 0);
      if (set.count > RESULT_ROWS || set.characters > RESULT_CHARACTERS) await toFile(set);
    },
    end: async () => {
      const outputs: RunOutcome['outputs'] = [];
      const files: OutputFile[] = [];
      let warned = false;
      for (const set of sets.values()) {
        if (!set.declared && set.count > 0 && !set.file) await toFile(set);
        if (set.file) {
          files.push(await fileOf(set, set.file, format));
          logInexactValues(set, set.file.converters, say);
        } else if (set.declared) outputs.push(outputOf(set, set.declared, say));
        const line = lineOf(set, results, files.at(-1)?.FileName ?? '');
        if (line) say(line);
        warned ||= line?.Category === Category.Warning;
      }
      return { outputs, files, warned };
    },
    discard: () => {
      for (const { file } of sets.values()) file?.discard();
    },
  };
}

function openSet(position: number, columns: ProcedureRows['columns'], expected: DeclaredResult | null): ResultSet {
  const order = expected && matchColumns(expected, columns);
  const declared = order ? expected : null;
  const title = declared?.output ?? `Result${position}`;
  const shown = order ?? [...columns.keys()];
  return {
    position,
    title,
    declared,
    order: shown,
    columns: shown.map((col, index) => {
      const { name, type } = columns[col]!;
      const said = declared?.columns[index];
      return { name: said?.name ?? name, usage: said?.usage ?? outputUsage(type), type };
    }),
    rows: [],
    count: 0,
    characters: 0,
    file: null,
  };
}

/**
 * Returns the positions of the declared columns among the received ones: by name, or by position if names are missing.
 * Returns null if they do not match.
 */
function matchColumns({ columns }: DeclaredResult, came: ProcedureRows['columns']): number[] | null {
  if (columns.length !== came.length) return null;
  const key = (name: string): string => name.toLowerCase();
  if (columns.every(({ name }, index) => name === '' || key(name) === key(came[index]!.name))) return [...came.keys()];
  const indexes = columns.map(({ name }) => came.findIndex((column) => key(column.name) === key(name)));
  return indexes.includes(-1) || new Set(indexes).size < indexes.length ? null : indexes;
}

const charactersOf = (row: readonly ProcedureCell[]): number =>
  row.reduce<number>((sum, cell) => sum + (cell === null || typeof cell === 'boolean' ? 5 : cell.length), 0);

function outputOf(
  { rows, columns, title }: ResultSet,
  { output }: DeclaredResult,
  say: (line: RunLogLine) => void,
): RunOutcome['outputs'][number] {
  const converters = columns.map(({ usage }) => createValueConverter(usage));
  const cells = rows.map((row) => row.map((value, col) => converters[col]!.cellOf(value)));
  logInexactValues({ columns, title }, converters, say);
  return { Name: output, Value: JSON.stringify(cells), Rows: cells.length };
}

function logInexactValues(
  { columns, title }: Pick<ResultSet, 'columns' | 'title'>,
  converters: readonly ValueConverter[],
  say: (line: RunLogLine) => void,
): void {
  for (const [col, values] of converters.entries())
    for (const line of inexactValueLines(`column ${columns[col]!.name || String(col + 1)} of ${title}`, values))
      say(line);
}

async function fileOf(set: ResultSet, file: ResultFile, format: string): Promise<OutputFile> {
  const FileName = safeFileName(`${set.title}.${format}`);
  return { Name: set.declared?.output ?? null, FileName, bytes: await file.end() };
}

function lineOf(
  { declared, file, count, title, position }: ResultSet,
  results: readonly (DeclaredResult | null)[],
  fileName: string,
): RunLogLine | null {
  const rows = `${count.toLocaleString('en')} ${count === 1 ? 'row' : 'rows'}`;
  const line = (Message: string, category: number): RunLogLine => ({
    Message,
    StatusCode: LogCode.ResultKept,
    Category: category,
  });
  if (declared)
    return file ? line(`${title} has ${rows}: they are in the file ${fileName}`, Category.Information) : null;
  const why = results[position - 1]
    ? 'has other columns than this version declares'
    : 'is not declared by this version';
  const where = file ? `its ${rows} are in the file ${fileName}` : 'it has no rows';
  return line(`Result set ${position} ${why}: ${where}`, Category.Warning);
}
