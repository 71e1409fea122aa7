/**
 * The output of the command: results go to standard output and everything else to standard error, so a pipe receives
 * only results.
 */
import { counted } from '#shared/codecs/counted.ts';
import { formatCellValue, valueRows } from '#shared/codecs/format-value.ts';
import type { Output } from '#shared/contract/parameters.ts';

export interface Terminal {
  /** Prints a line of the result. */
  print: (text: string) => void;
  /** Prints a line for the person who watches. */
  printMessage: (text: string) => void;
  env: Readonly<Record<string, string | undefined>>;
}

/** Text of people or workbooks must not move the cursor or color what follows. Line breaks and tabs become spaces. */
export const printable = (text: string): string => text.replace(/[\t\r\n]+/g, ' ').replace(/\p{Cc}/gu, '');

const graphemes = new Intl.Segmenter();
const lengthOf = (text: string): number => Array.from(graphemes.segment(text)).length;

/** Prints rows as aligned columns; nothing is cut off. */
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

/** Maximum number of rows of a table that are shown; --json and the files contain all of them. */
const MAX_SHOWN_ROWS = 50;

/** Prints an output for people, as its cells show it in Excel. */
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
  const shown = rows.slice(0, MAX_SHOWN_ROWS).map((row) => row.map(cellAt));
  const headings = Info.ColumnHeaderValues;
  const width = Math.max(headings.length, ...shown.map((row) => row.length), 1);
  printTable(
    terminal,
    Array.from({ length: width }, (_, col) => headings[col] ?? ''),
    shown,
  );
  if (rows.length > MAX_SHOWN_ROWS) terminal.print(`… and ${counted(rows.length - MAX_SHOWN_ROWS, 'more row')}`);
}
