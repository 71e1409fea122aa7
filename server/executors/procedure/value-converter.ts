/** Counts values that the cells of an output could not hold exactly, for the log of the run. */
import { Category, LogCode } from '#shared/rules/log-codes.ts';
import type { ProcedureCell } from '#server/base/procedure-types.ts';
import type { RunLogLine } from '../executor.ts';
import { isStoredAsText, isRoundedDate, outputCell, type OutputCell, type OutputUsage } from './result-cells.ts';

export interface ValueConverter {
  readonly usage: OutputUsage;
  /** Converts a value to a cell, and counts it if it is not exact. */
  cellOf: (value: ProcedureCell) => OutputCell;
  /** Number of values stored as text although the output holds numbers or dates. */
  texts: () => number;
  /**
   * Number of dates whose fractional seconds have more digits than a serial date holds, with the text of the first one.
   */
  roundedDates: () => { count: number; first: string };
}

/** Counts the values of an output, or of one of its columns. */
export function createValueConverter(usage: OutputUsage): ValueConverter {
  let texts = 0;
  let count = 0;
  let first = '';
  return {
    usage,
    cellOf: (value) => {
      const cell = outputCell(value, usage);
      if (isStoredAsText(cell, usage)) texts += 1;
      if (isRoundedDate(value, cell)) {
        count += 1;
        if (count === 1) first = String(value);
      }
      return cell;
    },
    texts: () => texts,
    roundedDates: () => ({ count, first }),
  };
}

/** What is logged about one and about several values that are stored as texts. */
const TEXTS = {
  dates: [
    'a date that a serial day cannot represent, stored as text',
    'dates that a serial day cannot represent, stored as text',
  ],
  numbers: ['a number of more than 15 digits, stored as text', 'numbers of more than 15 digits, stored as text'],
} as const;
const MORE_DIGITS = 'with more digits of a second than a serial day holds';

/** @param of name of the output or column the values belong to: 'Total', 'column 2 of Result1' */
export function inexactValueLines(of: string, { usage, texts, roundedDates }: ValueConverter): RunLogLine[] {
  const line = (count: number, one: string, many: string): RunLogLine => ({
    Message: count === 1 ? `1 value of ${of}: ${one}` : `${count.toLocaleString('en')} values of ${of}: ${many}`,
    StatusCode: LogCode.ResultKept,
    Category: Category.Information,
  });
  const [one, many] = TEXTS[usage === 'Date' ? 'dates' : 'numbers'];
  const rounded = roundedDates();
  return [
    ...(texts() > 0 ? [line(texts(), one, many)] : []),
    ...(rounded.count > 0
      ? [
          line(
            rounded.count,
            `a date ${MORE_DIGITS}, ${rounded.first}`,
            `dates ${MORE_DIGITS}, such as ${rounded.first}`,
          ),
        ]
      : []),
  ];
}
