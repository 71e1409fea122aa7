/** Reads the columns of a portal row. A value that cannot be read is reported as a problem and counts as absent. */
import type { ProblemList } from './problems.ts';
import { problem } from './problems.ts';
import type { PortalRow } from './portal-tables.ts';
import { locationOf, textOf } from './portal-tables.ts';

export interface RowReader {
  text(column: string): string;
  /** Returns one of a fixed set of words, ignoring case; null if blank. */
  choice<T extends string>(column: string, choices: readonly T[]): T | null;
  /** Returns one word for all fields, or one per field, separated by commas; [] if blank. */
  choices<T extends string>(column: string, choices: readonly T[]): T[];
  flag(column: string): boolean | null;
  flags(column: string): boolean[];
  /** Returns whole numbers of at least 1; an empty part is null. */
  sizes(column: string): (number | null)[];
  number(column: string): number | null;
  addProblem(column: string, message: string, howToFix: string): void;
}

/** What is wrong with a column that has several values, but not one for each column of the parameter. */
export const wrongNumber = (column: string, values: number, columns: number): string =>
  columns === 1
    ? `${column} has ${values} values for 1 column.`
    : `${column} has ${values} values for ${columns} columns.`;

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

const parts = (text: string): string[] => (text === '' ? [] : text.split(',').map((part) => part.trim()));

export function createRowReader(row: PortalRow, problems: ProblemList): RowReader {
  const addProblem = (column: string, message: string, howToFix: string): void =>
    problems.add(locationOf(row, column), problem(message, howToFix));

  const pick = <T extends string>(column: string, text: string, choices: readonly T[]): T | null => {
    const found = choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
    if (found === undefined)
      addProblem(column, `'${text}' is not a valid value for ${column}.`, `Use one of: ${choices.join(', ')}.`);
    return found ?? null;
  };

  const flag = (column: string, text: string): boolean | null => {
    const found = FLAGS.get(text.toLowerCase());
    if (found === undefined)
      addProblem(column, `${column} must be TRUE or FALSE, not '${text}'.`, 'Enter TRUE or FALSE.');
    return found ?? null;
  };

  return {
    addProblem,
    text: (column) => textOf(row, column),
    choice: (column, choices) => (textOf(row, column) === '' ? null : pick(column, textOf(row, column), choices)),
    choices: (column, choices) => allOrNone(parts(textOf(row, column)).map((part) => pick(column, part, choices))),
    flag: (column) => (textOf(row, column) === '' ? null : flag(column, textOf(row, column))),
    flags: (column) => allOrNone(parts(textOf(row, column)).map((part) => flag(column, part))),
    sizes(column) {
      return parts(textOf(row, column)).map((part) => {
        if (part === '') return null;
        const size = Number(part);
        if (Number.isInteger(size) && size >= 1) return size;
        addProblem(
          column,
          `${column} must be a whole number, not '${part}'.`,
          'Enter the maximum number of characters, or of bytes for a file.',
        );
        return null;
      });
    },
    number(column) {
      const text = textOf(row, column);
      if (text === '') return null;
      if (Number.isFinite(Number(text))) return Number(text);
      addProblem(column, `${column} must be a number, not '${text}'.`, 'Enter a number.');
      return null;
    },
  };
}

/** A list with one invalid part counts as absent: its problem was already reported. */
const allOrNone = <T>(list: (T | null)[]): T[] => (list.includes(null) ? [] : (list as T[]));
