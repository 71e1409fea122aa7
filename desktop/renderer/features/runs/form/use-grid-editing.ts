import { useRef, useState, type ClipboardEvent, type KeyboardEvent, type RefObject } from 'react';
import { toClipboardText } from '#renderer/ui/grid/grid-model.ts';
import { parseClipboardBlock } from './paste-block.ts';
import {
  clearBlock,
  pasteBlock,
  readBlock,
  removeRow,
  setCell,
  type CellBlock,
  type GridRows,
  type GridShape,
} from './grid-rows.ts';
import { gridAction, type GridAction } from './grid-keys.ts';
import { selectCell, selectedBlock, type GridPosition, type GridSelection } from './grid-selection.ts';
import { editText, readCellText, unreadable } from './cell-text.ts';
import { ROWS_SHOWN } from './grid-window.ts';

/** The cell in edit; `text` null edits what is in it, anything else replaces it. */
export interface EditedCell extends GridPosition {
  text: string | null;
}

export interface GridEditing {
  selection: GridSelection;
  edited: EditedCell | null;
  /** What was done that eyes alone would see: said to screen readers, and shown under the grid. */
  announcement: string;
  /** What of the last paste was left out; '' where nothing was. */
  warning: string;
  select: (selection: GridSelection) => void;
  edit: (position: GridPosition, text?: string | null) => void;
  /** Ends the editing of a cell with a new text (null: without), and moves on. */
  finish: (text: string | null, move: { rows: number; cols: number }) => void;
  toggle: (position: GridPosition) => void;
  remove: (row: number) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onCopy: (event: ClipboardEvent) => void;
  onCut: (event: ClipboardEvent) => void;
  onPaste: (event: ClipboardEvent) => void;
}

const MOST_UNDONE = 50;

/** Everything a person does to the cells of an input grid; `rows` stay with the form. */
export function useGridEditing(rows: GridRows, shape: GridShape, onChange: (rows: GridRows) => void): GridEditing {
  const [selection, select] = useState(() => selectCell(0, 0));
  const [edited, setEdited] = useState<EditedCell | null>(null);
  const [announcement, announce] = useState('');
  const [warning, warn] = useState('');
  const undo = useRef<GridRows[]>([]);
  const change = (next: GridRows): void => {
    if (next === rows) return;
    undo.current = [...undo.current.slice(1 - MOST_UNDONE), rows];
    onChange(next);
  };
  const context: Context = {
    rows,
    shape,
    selection,
    select,
    setEdited,
    announce,
    warn,
    change,
    undo,
    onChange,
  };
  return {
    selection,
    edited,
    announcement,
    warning,
    select,
    edit: (position, text = null) => startEdit(context, position, text),
    finish: (text, move) => finishEdit(context, edited, text, move),
    toggle: (position) => toggleCell(context, position),
    remove: (row) => removeRows(context, row, row),
    onKeyDown: (event) => onKeyDown(context, event),
    onCopy: (event) => copy(context, event),
    onCut: (event) => {
      copy(context, event);
      change(clearBlock(rows, selectedBlock(selection), shape));
    },
    onPaste: (event) => paste(context, event),
  };
}

interface Context {
  rows: GridRows;
  shape: GridShape;
  selection: GridSelection;
  undo: RefObject<GridRows[]>;
  select: (selection: GridSelection) => void;
  setEdited: (cell: EditedCell | null) => void;
  announce: (text: string) => void;
  warn: (text: string) => void;
  change: (rows: GridRows) => void;
  onChange: (rows: GridRows) => void;
}

function startEdit({ shape, setEdited, select }: Context, { row, col }: GridPosition, text: string | null): void {
  select(selectCell(row, col));
  if (!shape.isReadOnly(row, col) && shape.kind(row, col).usage !== 'Boolean') setEdited({ row, col, text });
}

function finishEdit(
  context: Context,
  edited: EditedCell | null,
  text: string | null,
  move: { rows: number; cols: number },
): void {
  if (!edited) return;
  const { rows, shape } = context;
  context.setEdited(null);
  const { row, col } = edited;
  const kind = shape.kind(row, col);
  // What was only looked at keeps what the text does not show.
  const isSame = edited.text === null && text === editText(rows[row]![col] ?? null, kind);
  const read = text === null || isSame ? null : readCellText(text, kind);
  const next = read === null ? rows : setCell(rows, row, col, read.cell, shape);
  context.change(next);
  if (read)
    context.announce(read.note === null ? (unreadable(read.cell, kind) ?? '') : `${text!.trim()} was ${read.note}.`);
  const target = { row: row + move.rows, col: col + move.cols };
  context.select(
    selectCell(Math.max(0, Math.min(target.row, next.length - 1)), Math.max(0, Math.min(target.col, shape.width - 1))),
  );
}

function toggleCell({ rows, shape, change }: Context, { row, col }: GridPosition): void {
  if (shape.kind(row, col).usage === 'Boolean') change(setCell(rows, row, col, rows[row]![col] !== true, shape));
}

function removeRows(context: Context, first: number, last: number): void {
  const { rows, shape, selection } = context;
  let next = rows;
  for (let row = last; row >= first; row -= 1) next = removeRow(next, row, shape);
  if (next === rows) return;
  context.change(next);
  context.select(selectCell(Math.min(first, next.length - 1), selection.active.col));
  const removed = rows.length - next.length;
  context.announce(
    removed === 1 ? 'Removed 1 row. Ctrl+Z brings it back.' : `Removed ${removed} rows. Ctrl+Z brings them back.`,
  );
}

function onKeyDown(context: Context, event: KeyboardEvent): void {
  const { selection, shape, rows } = context;
  const pressed = { key: event.key, ctrl: event.ctrlKey || event.metaKey, shift: event.shiftKey, alt: event.altKey };
  const action = gridAction(selection, pressed, { rows: rows.length, cols: shape.width, page: ROWS_SHOWN - 1 });
  if (!action || rows.length === 0) return;
  event.preventDefault();
  apply(context, action);
}

function apply(context: Context, action: GridAction): void {
  const { rows, shape, selection } = context;
  const { active } = selection;
  const block = selectedBlock(selection);
  const isBoolean = shape.kind(active.row, active.col).usage === 'Boolean';
  if (action.kind === 'move') context.select(passHidden(action.selection, active.col, shape));
  else if (action.kind === 'clear') context.change(clearBlock(rows, block, shape));
  else if (action.kind === 'removeRows') removeRows(context, block.top, block.bottom);
  else if (action.kind === 'undo') undoLast(context);
  else if (isBoolean && (action.kind === 'toggle' || action.text === null)) toggleCell(context, active);
  else startEdit(context, active, action.kind === 'toggle' ? ' ' : action.text);
}

/** A column that is not shown is passed by in the direction one moves. */
function passHidden(selection: GridSelection, from: number, shape: GridShape): GridSelection {
  const { row, col } = selection.active;
  const step = col < from ? -1 : 1;
  let target = col;
  while (target >= 0 && target < shape.width && shape.isHidden(target)) target += step;
  if (target < 0 || target >= shape.width) target = from;
  const isSingle = selection.anchor.row === row && selection.anchor.col === col;
  const active = { row, col: target };
  return { active, anchor: isSingle ? active : selection.anchor };
}

function undoLast({ undo, onChange, announce, warn }: Context): void {
  const before = undo.current.pop();
  if (!before) return;
  onChange(before);
  announce('Undone.');
  warn('');
}

function copy({ rows, shape, selection }: Context, event: ClipboardEvent): void {
  event.preventDefault();
  event.clipboardData.setData('text/plain', toClipboardText(readBlock(rows, selectedBlock(selection), shape)));
}

function paste(context: Context, event: ClipboardEvent): void {
  event.preventDefault();
  const { rows, shape, selection } = context;
  const copied = parseClipboardBlock(event.clipboardData.getData('text/plain'));
  const {
    rows: next,
    block,
    droppedRows,
    droppedColumns,
    notes,
  } = pasteBlock(rows, selectedBlock(selection), copied, shape);
  context.change(next);
  // As in Excel one stays where the block begins: the end of thousands of rows is not what one wants to see first.
  context.select({ active: { row: block.top, col: block.left }, anchor: { row: block.bottom, col: block.right } });
  const pasted = `Pasted ${counted(block.bottom - block.top + 1, 'row')} of ${counted(block.right - block.left + 1, 'column')}.`;
  const room = counted(shape.rowsVariable ? shape.maxRows : rows.length, 'row');
  const lost = [
    ...(droppedRows > 0 ? [`${leftOut(droppedRows, 'row')}: the grid has room for ${room}.`] : []),
    ...(droppedColumns > 0 ? [`${leftOut(droppedColumns, 'column')} beyond the grid.`] : []),
  ];
  context.warn(lost.join(' '));
  context.announce(`${pasted}${readOtherwise(notes)}${markedCells(next, block, shape)}`);
}

const leftOut = (count: number, noun: string): string =>
  `${counted(count, noun)} ${count === 1 ? 'was' : 'were'} left out`;

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const MOST_NOTES = 3;

/** How texts were read that could be read otherwise. */
function readOtherwise(notes: readonly string[]): string {
  if (notes.length === 0) return '';
  const others = notes.length - MOST_NOTES;
  return ` ${notes.slice(0, MOST_NOTES).join(', ')}${others > 0 ? `, and ${others} more in the same way` : ''}.`;
}

function markedCells(rows: GridRows, block: CellBlock, shape: GridShape): string {
  let count = 0;
  for (let row = block.top; row <= Math.min(block.bottom, rows.length - 1); row += 1) {
    for (let col = block.left; col <= block.right; col += 1)
      if (unreadable(rows[row]![col] ?? null, shape.kind(row, col)) !== null) count += 1;
  }
  if (count === 0) return '';
  return count === 1 ? ' 1 cell could not be read and is marked.' : ` ${count} cells could not be read and are marked.`;
}
