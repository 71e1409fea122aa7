/** What the command writes: answers to standard output, all else to standard error, so that a pipe gets the answer alone. */
import { formatCellValue, valueRows } from '#shared/codecs/format-value.ts';
import type { Output } from '#shared/contract/parameters.ts';

export interface Terminal {
  /** A line of the answer. */
  print: (text: string) => void;
  /** A line for the person who watches. */
  tell: (text: string) => void;
  env: Readonly<Record<string, string | undefined>>;
}

/** A person's or workbook's text must not move the cursor or colour what follows. Line breaks and tabs become spaces. */
export const printable = (text: string): string => text.replace(/[\t\r\n]+/g, ' ').replace(/\p{Cc}/gu, '');

const graphemes = new Intl.Segmenter();
const lengthOf = (text: string): number => Array.from(graphemes.segment(text)).length;

/** Rows as columns of equal width; nothing is cut off. */
export function printTable(
  terminal: Terminal,
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const all = [headings, ...rows].map((row) => row.map(printable));
  const widths = headings.map((_, col) => Math.max(...all.map((row) => lengthOf(row[col] ?? ''))));
  for (const row of all) {
    const cells = row.map((cell, col) => cell + ' '.repeat(widths[col]! - lengthOf(cell)));
    terminal.print(cells.join('  ').trimEnd());
  }
}

export const printJson = (terminal: Terminal, value: unknown): void => terminal.print(JSON.stringify(value, null, 2));

/** The most rows of a table that are shown; all of them are in --json and in the files. */
const MOST_ROWS = 50;

/** An output as a person reads it: as its cells show it in Excel. */
export function printOutput(terminal: Terminal, { Name, Value, Info }: Output): void {
  const rows = valueRows(Value);
  const cellAt = (cell: (typeof rows)[number][number], col: number): string => {
    const index = Math.min(col, Info.CellUsages.length - 1);
    return printable(formatCellValue(cell, Info.Formats[index] ?? 'General', Info.CellUsages[index]));
  };
  if (Info.RangeType === 'SingleCell') {
    terminal.print(`${printable(Name)}: ${cellAt(rows[0]?.[0] ?? null, 0)}`);
    return;
  }
  terminal.print(`${printable(Name)}:`);
  const shown = rows.slice(0, MOST_ROWS).map((row) => row.map(cellAt));
  const headings = Info.ColumnHeaderValues;
  const width = Math.max(headings.length, ...shown.map((row) => row.length), 1);
  printTable(
    terminal,
    Array.from({ length: width }, (_, col) => headings[col] ?? ''),
    shown,
  );
  if (rows.length > MOST_ROWS) terminal.print(`… and ${rows.length - MOST_ROWS} more rows`);
}
