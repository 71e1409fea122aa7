/** Reads the rows of an evaluation: which input gets which values, by name. */
import { AppError } from '#server/base/app-error.ts';
import type { GivenRows } from '#server/executors/executor.ts';
import { nameKey, type VersionOutput } from '#server/versions/version-catalog.ts';
import { findInput, InputFailure } from '#shared/client/inputs.ts';
import { counted } from '#shared/codecs/counted.ts';
import { isFileInput, isFixed, valueShape } from '#shared/codecs/input-form.ts';
import type { EvaluateBody } from '#shared/contract/evaluate.ts';
import type { Input } from '#shared/contract/parameters.ts';

export interface NamedInputs {
  /** Name of the activity, for messages. */
  Name: string;
  Inputs: readonly Input[];
}

export interface ReadRows {
  rows: number;
  /** By input id; inputs without an entry have their default. */
  given: ReadonlyMap<number, GivenRows>;
}

/** Throws an AppError 400 that lists what is wrong with names, shapes and lengths, and 413 for too many rows. */
export function readRows(
  activity: NamedInputs,
  body: Pick<EvaluateBody, 'Inputs' | 'Rows'>,
  maxRows: number,
): ReadRows {
  // Before anything else, because each input would get a column with so many values.
  requireFewRows(body.Rows?.length ?? 0, maxRows);
  const problems = createProblems();
  const given = new Map<number, GivenRows>();
  const columns: { Name: string; values: unknown[] }[] = [];
  const find = createFinder(activity, problems);
  for (const [name, value] of Object.entries(body.Inputs ?? {})) {
    const input = find(name);
    if (!input) continue;
    if (given.has(input.Id)) problems.add(`${input.Name}: the value is given more than once`);
    if (valueShape(input.Info) !== 'cell' || !Array.isArray(value)) {
      given.set(input.Id, { kind: 'all', value });
      continue;
    }
    columns.push({ Name: input.Name, values: value });
    given.set(input.Id, { kind: 'rows', values: value });
  }
  const rows = body.Rows?.length ?? rowsOf(columns);
  if (body.Rows) readRowObjects(body.Rows, { find, given, problems });
  for (const { Name, values } of columns) {
    if (values.length === rows || values.length === 1) continue;
    problems.add(`${Name}: the column has ${counted(values.length, 'value')} for ${counted(rows, 'row')}`);
  }
  problems.throwIfAny();
  requireFewRows(rows, maxRows);
  return { rows, given };
}

function requireFewRows(rows: number, maxRows: number): void {
  if (rows <= maxRows) return;
  const message = `A call may have at most ${maxRows} rows, and this one has ${rows}. Send them in several calls`;
  throw new AppError('tooManyRows', 413, message);
}

/** A call can have a problem per name and row, so the first ones end the reading. */
const MAX_PROBLEMS = 20;

/** Both functions throw an AppError 400; `add` once there are many problems. */
interface Problems {
  add(...messages: readonly string[]): void;
  throwIfAny(): void;
}

function createProblems(): Problems {
  const found: string[] = [];
  const throwIfAny = (): void => {
    if (found.length > 0) throw new AppError('evaluationInvalid', 400, found.slice(0, MAX_PROBLEMS).join('\n'));
  };
  return {
    add(...messages) {
      found.push(...messages);
      if (found.length >= MAX_PROBLEMS) throwIfAny();
    },
    throwIfAny,
  };
}

/** Columns of one value apply to all rows; without columns there is one row. */
const rowsOf = (columns: readonly { values: readonly unknown[] }[]): number =>
  columns.find(({ values }) => values.length !== 1)?.values.length ?? 1;

/** Returns a function that returns the input of a name, or undefined after noting why it cannot be given. */
function createFinder(activity: NamedInputs, problems: Problems): (name: string) => Input | undefined {
  const known = new Map<string, Input | undefined>();
  const find = (name: string): Input | undefined => {
    try {
      const input = findInput(activity, name);
      if (isFileInput(input.Info)) problems.add(`${input.Name}: the input takes files, which only a run can have`);
      else if (isFixed(input)) problems.add(`${input.Name}: the value is fixed, and cannot be given`);
      else return input;
    } catch (error) {
      if (!(error instanceof InputFailure)) throw error;
      problems.add(...error.problems);
    }
    return undefined;
  };
  return (name) => {
    if (!known.has(name)) known.set(name, find(name));
    return known.get(name);
  };
}

interface RowReading {
  find: (name: string) => Input | undefined;
  given: Map<number, GivenRows>;
  problems: Problems;
}

function readRowObjects(rows: NonNullable<EvaluateBody['Rows']>, { find, given, problems }: RowReading): void {
  const columns = new Map<Input, unknown[]>();
  for (const [index, row] of rows.entries()) {
    for (const name of Object.keys(row)) {
      const input = find(name);
      if (!input) continue;
      let values = columns.get(input);
      // A row without the name has the default, for which undefined stands.
      if (!values) columns.set(input, (values = Array.from({ length: rows.length })));
      if (values[index] !== undefined) problems.add(`${input.Name}, row ${index}: the value is given more than once`);
      values[index] = row[name];
    }
  }
  for (const [{ Id, Name, Info }, values] of columns) {
    if (valueShape(Info) !== 'cell') problems.add(`${Name}: give a list or a table in Inputs, once for all rows`);
    if (given.has(Id)) problems.add(`${Name}: the value is given in Inputs and in Rows`);
    given.set(Id, { kind: 'rows', values });
  }
}

/** Returns the part of the values that belongs to rows. */
export function sliceOf(given: GivenRows, from: number, count: number): GivenRows {
  if (given.kind !== 'rows') return given;
  const { values } = given;
  const isForAll = values.length === 1 && from + count > 1;
  return { kind: 'rows', values: isForAll ? Array(count).fill(values[0]) : values.slice(from, from + count) };
}

/** Returns the names of the outputs to calculate. Throws an AppError 400 if there is no output of a name. */
export function readOutputNames(outputs: readonly VersionOutput[], wanted: readonly string[] | undefined): string[] {
  const offered = outputs.filter(({ Info }) => Info.CellUsages[0] !== 'FilePath').map(({ Name }) => Name);
  if (!wanted) return offered;
  const found = wanted.map((name) => offered.find((one) => nameKey(one) === nameKey(name)));
  const missing = wanted.filter((_, index) => found[index] === undefined);
  if (missing.length > 0) {
    const names = missing.map((name) => `"${name}"`).join(', ');
    const others = offered.join(', ') || 'none';
    const message = `There is no output ${names}; there are ${others}`;
    throw new AppError('evaluationInvalid', 400, message);
  }
  return [...new Set(found.flatMap((name) => name ?? []))];
}
