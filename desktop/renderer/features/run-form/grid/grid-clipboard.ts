/** Copies from an input grid and pastes into it. */
import type { ClipboardEvent } from 'react';
import { toClipboardText } from '#renderer/ui/grid/grid-model.ts';
import { cellProblem, isAsked } from '#shared/codecs/cell-text.ts';
import { t } from '#renderer/language/translate.ts';
import { readCells, shownColumns, type CellBlock, type GridRows, type GridShape } from './grid-rows.ts';
import { selectedBlock } from './grid-selection.ts';
import { copiedNumbers } from './copied-numbers.ts';
import { parseClipboardBlock } from './paste-block.ts';
import { commitRows, type GridContext } from './grid-commands.ts';
import { rowsOfBlock } from './grid-layout.ts';
import { refusedText, rowsText } from './grid-texts.ts';
import { pasteCells, type Pasted } from './paste-cells.ts';

/** Copies the selection. As in Excel, rows hidden by a filter are not copied. */
export function copyCells({ rows, shape, selection, layout }: GridContext, event: ClipboardEvent): void {
  event.preventDefault();
  const block = selectedBlock(selection);
  const cells = readCells(rows, rowsOfBlock(block, rows, layout.shown), block, shape);
  event.clipboardData.setData('text/plain', toClipboardText(cells));
}

/** Pastes at the selection. Returns the block into which it pasted. */
export function pasteFrom(context: GridContext, event: ClipboardEvent): CellBlock {
  event.preventDefault();
  const { rows, shape, selection, layout } = context;
  const copied = parseClipboardBlock(event.clipboardData.getData('text/plain'));
  const numbers = copiedNumbers(event.clipboardData.getData('text/html'), copied);
  const pasted = pasteCells(rows, selectedBlock(selection), copied, shape, layout.shown, numbers);
  const { block } = pasted;
  commitRows(context, pasted.rows);
  // As in Excel, the active cell stays at the start of the block: users rarely want to see the end of thousands of rows
  // first.
  context.select({ active: { row: block.top, col: block.left }, anchor: { row: block.bottom, col: block.right } });
  context.warn(lostText(context, pasted));
  const columns = shownColumns(shape, block.left, block.right).length;
  const done = t('Pasted {rows} of {count, plural, one {# column} other {# columns}}.', {
    rows: rowsText(pasted.count),
    count: columns,
  });
  const hidden = pasted.skippedHidden ? ` ${t('Rows hidden by the filter were not changed.')}` : '';
  const blank =
    pasted.blankRows > 0
      ? ` ${t('{count, plural, one {# blank row was} other {# blank rows were}} skipped.', { count: pasted.blankRows })}`
      : '';
  context.announce(`${done}${blank}${hidden}${readOtherwise(pasted.notes)}${markedCells(pasted.rows, block, shape)}`);
  return block;
}

function lostText({ rows, shape }: GridContext, { droppedRows, droppedColumns, refused }: Pasted): string {
  const capacity = rowsText(shape.rowsVariable ? shape.maxRows : rows.length);
  return [
    ...(droppedRows > 0
      ? [
          t('{count, plural, one {# row was} other {# rows were}} skipped: the grid has room for {room}.', {
            count: droppedRows,
            room: capacity,
          }),
        ]
      : []),
    ...(droppedColumns > 0
      ? [
          t(
            '{count, plural, one {# column was skipped: it lies} other {# columns were skipped: they lie}} outside the grid.',
            {
              count: droppedColumns,
            },
          ),
        ]
      : []),
    refusedText(refused),
  ]
    .join(' ')
    .trim();
}

const MAX_NOTES = 3;

/** Reports how ambiguous texts were read. */
function readOtherwise(notes: readonly string[]): string {
  if (notes.length === 0) return '';
  const others = notes.length - MAX_NOTES;
  const named = notes.slice(0, MAX_NOTES).join(', ');
  return others > 0 ? ` ${t('{notes}, and {count} more likewise.', { notes: named, count: others })}` : ` ${named}.`;
}

function markedCells(rows: GridRows, block: CellBlock, shape: GridShape): string {
  let count = 0;
  for (let row = block.top; row <= Math.min(block.bottom, rows.length - 1); row += 1) {
    for (let col = block.left; col <= block.right; col += 1) {
      const cell = rows[row]![col] ?? null;
      // Ambiguous cells have their own question.
      if (!isAsked(cell) && cellProblem(cell, shape.kind(row, col)) !== null) count += 1;
    }
  }
  if (count === 0) return '';
  return ` ${t('{count, plural, one {# cell could not be read and is marked.} other {# cells could not be read and are marked.}}', { count })}`;
}
