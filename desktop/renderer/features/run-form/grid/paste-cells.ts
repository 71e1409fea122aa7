/** Pastes into an input grid. */
import type { FormCell } from '#shared/codecs/input-form.ts';
import { evidenceOf } from '#shared/codecs/readings.ts';
import { readCellText, type CellKind } from '#shared/codecs/cell-text.ts';
import { readingNote } from '#renderer/ui/reading-note.ts';
import { t } from '#renderer/language/translate.ts';
import { mapCells, shownColumns, type CellBlock, type GridRows, type GridShape } from './grid-rows.ts';
import { withoutBlankLines } from './blank-lines.ts';
import { NO_NUMBERS, type CopiedNumbers } from './copied-numbers.ts';
import { screenRowOf, rowAt, rowsOfBlock, type GridLayout } from './grid-layout.ts';

export interface Pasted {
  rows: GridRows;
  block: CellBlock;
  /** Number of rows that were pasted into. */
  count: number;
  /** Rows and columns of the clipboard that did not fit into the grid. */
  droppedRows: number;
  droppedColumns: number;
  /** Number of skipped blank rows between others. */
  blankRows: number;
  /** Number of values for read-only cells. */
  refused: number;
  /** True if the paste skipped rows hidden by a filter; they stay unchanged. */
  skippedHidden: boolean;
  /** Ambiguous texts and how they were read. */
  notes: string[];
}

/**
 * Pastes the clipboard, starting at the first cell of the block. A single copied cell fills a larger block, as in
 * Excel. Cells beyond the grid are dropped, unless rows can be added; blank rows are then skipped. Rows hidden by a
 * filter are skipped: Excel overwrites them, and nobody notices the loss.
 * @param numbers the numbers of the clipboard, which its texts may show rounded
 */
export function pasteCells(
  rows: GridRows,
  block: CellBlock,
  clipboard: readonly (readonly string[])[],
  shape: GridShape,
  shown: GridLayout['shown'] = null,
  numbers: CopiedNumbers = NO_NUMBERS,
): Pasted {
  const notes: string[] = [];
  const isSingle = clipboard.length === 1 && clipboard[0]!.length === 1;
  const whole = isSingle ? wholeBlock(rows, block, shape, shown) : targetOf(rows, block, clipboard, { shape, shown });
  const { lines: copied, skipped: blankRows } = isSingle
    ? { lines: clipboard, skipped: 0 }
    : withoutBlankLines(rows, clipboard, whole, shape);
  const target = copied === clipboard ? whole : targetOf(rows, block, copied, { shape, shown });
  const kindOf = pastedKinds(shape, isSingle ? new Map() : evidence(copied, target, shape));
  const parse = (line: readonly string[], at: number, row: number, col: number): FormCell => {
    const text = line[at] ?? '';
    const kind = kindOf(row, col);
    const number = kind.usage === 'Number' ? numbers.get(line)?.[at] : null;
    if (number !== null && number !== undefined) return number;
    const { cell, note } = readCellText(text, kind);
    if (note !== null) notes.push(t('{text} was {note}', { text: text.trim(), note: readingNote(note) }));
    return cell;
  };
  const positions = new Map(target.columns.map((col, at) => [col, at]));
  const { rows: next, refused } = mapCells(rows, target.lines, target.block, shape, (row, col, line) =>
    isSingle ? parse(copied[0]!, 0, row, col) : parse(copied[line]!, positions.get(col)!, row, col),
  );
  const { lines } = target;
  return {
    rows: next,
    block: target.block,
    count: lines.length,
    droppedRows: isSingle ? 0 : copied.length - lines.length,
    droppedColumns: isSingle ? 0 : target.widest - target.columns.length,
    blankRows,
    refused,
    skippedHidden: lines.length > 1 && lines.at(-1)! - lines[0]! >= lines.length,
    notes,
  };
}

/**
 * Returns how to read the cells of a paste. The result is cached per kind and column, because a paste may have 150,000
 * cells.
 */
function pastedKinds(shape: GridShape, evidenceByColumn: ReadonlyMap<number, Evidence>) {
  const kinds = new Map<number, { of: CellKind; kind: CellKind }>();
  return (row: number, col: number): CellKind => {
    const of = shape.kind(row, col);
    const known = kinds.get(col);
    if (known?.of === of) return known.kind;
    // Typing stops at the length limit. Pasted text stays complete and is marked, because nobody would notice what was
    // cut off.
    const kind: CellKind = { ...of, maxSize: null, ...evidenceByColumn.get(col) };
    kinds.set(col, { of, kind });
    return kind;
  };
}

interface Target {
  lines: number[];
  columns: number[];
  block: CellBlock;
  /** Number of cells in the longest copied line. */
  widest: number;
}

function wholeBlock(rows: GridRows, block: CellBlock, shape: GridShape, shown: GridLayout['shown']): Target {
  const columns = shownColumns(shape, block.left, Math.min(block.right, shape.width - 1));
  return { lines: rowsOfBlock(block, rows, shown), columns, block, widest: 1 };
}

function targetOf(
  rows: GridRows,
  block: CellBlock,
  copied: readonly (readonly string[])[],
  { shape, shown }: { shape: GridShape; shown: GridLayout['shown'] },
): Target {
  const end = shape.rowsVariable ? shape.maxRows : rows.length;
  const first = screenRowOf(block.top, rows, shown);
  const lines = copied.map((_, at) => rowAt(first + at, rows, shown)).filter((row) => row < end);
  const widest = copied.reduce((width, line) => Math.max(width, line.length), 0);
  const columns = shownColumns(shape, block.left, shape.width - 1).slice(0, widest);
  const pasted = { top: block.top, left: block.left, bottom: lines.at(-1)!, right: columns.at(-1) ?? block.left };
  return { lines, columns, block: pasted, widest };
}

type Evidence = Pick<CellKind, 'pastedOrder' | 'pastedMarks'>;

/** A column uses one notation: '31/1/2026' shows how '2/3/2026' below it is meant, and '12,5' how '1,234' is. */
function evidence(
  copied: readonly (readonly string[])[],
  { lines, columns }: Target,
  shape: GridShape,
): Map<number, Evidence> {
  return new Map(
    columns.map((col, at) => {
      const texts = copied.map((line) => line[at] ?? '');
      return [col, evidenceOf(texts, shape.kind(lines[0]!, col))];
    }),
  );
}
