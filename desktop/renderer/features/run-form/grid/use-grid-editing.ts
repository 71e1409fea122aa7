import { useEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import type { FormInput } from '#shared/codecs/input-form.ts';
import type { TextRegion } from '#shared/codecs/text-region.ts';
import type { ChosenCells, InputIssue } from '#shared/rules/input-rules.ts';
import { t } from '#renderer/language/translate.ts';
import { answerColumn } from './ambiguous-cells.ts';
import { copyCells, pasteFrom } from './grid-clipboard.ts';
import {
  clearFilters,
  clearSelected,
  commitRows,
  fillSelection,
  fillSelectionDown,
  fillSelectionRight,
  fillToNeighbour,
  filterByColumn,
  finishEdit,
  freezeColumns,
  insertAtSelection,
  removeRowsFrom,
  removeShownRows,
  reveal,
  setColumnWidth,
  sortByColumn,
  startEdit,
  toggleCell,
  type CellMove,
  type EditedCell,
  type GridContext,
} from './grid-commands.ts';
import type { FillTarget } from './fill-cells.ts';
import {
  hasSameCells,
  NO_HISTORY,
  redoStep,
  remember,
  undoStep,
  type GridHistory,
  type GridState,
  type Step,
} from './grid-history.ts';
import {
  mapSelection,
  screenRowOf,
  PLAIN_LAYOUT,
  rowAt,
  shownCount,
  withFilters,
  type GridLayout,
  type SuggestionAt,
} from './grid-layout.ts';
import { gridAction, type GridAction } from './grid-keys.ts';
import type { CellBlock, GridRows, GridShape } from './grid-rows.ts';
import {
  isInBlock,
  passHidden,
  selectCell,
  selectedBlock,
  type GridPosition,
  type GridSelection,
} from './grid-selection.ts';
import { ROWS_SHOWN } from './grid-window.ts';
import { issueText } from '#renderer/features/run-form/validation/issue-text.ts';

export interface GridEditing {
  rows: GridRows;
  shape: GridShape;
  layout: GridLayout;
  selection: GridSelection;
  edited: EditedCell | null;
  /** The latest action, announced to screen readers and shown below the grid. */
  announcement: string;
  /** What the last paste skipped; '' if nothing. */
  warning: string;
  /** The issue of the cells that changed last; '' if there is none. */
  lastIssue: string;
  /** The row after the last pasted rows; null before a paste. */
  pastedTo: number | null;
  /** The state that an undo restores; null if there is none. */
  lastState: GridState | null;
  canUndo: boolean;
  canRedo: boolean;
  select: (selection: GridSelection) => void;
  /** Selects a cell and removes a filter that hides it. */
  reveal: (position: GridPosition) => void;
  edit: (position: GridPosition, text?: string | null) => void;
  /** Ends the edit of a cell with a new text (null discards it), and moves the selection. */
  finish: (text: string | null, move: CellMove) => void;
  toggle: (position: GridPosition) => void;
  remove: (row: number) => void;
  removeSelected: () => void;
  /** Removes all rows from this one on. */
  removeFrom: (row: number) => void;
  insert: () => void;
  /** Reads the ambiguous texts of a column as the given region would. */
  answer: (col: number, region: TextRegion) => void;
  fill: (target: FillTarget, invert: boolean) => void;
  fillDown: () => void;
  fillToNeighbour: () => void;
  sort: (col: number, descending: boolean) => void;
  /** Null removes the column's filter. */
  filter: (col: number, texts: ReadonlySet<string> | null) => void;
  clearFilters: () => void;
  setWidth: (col: number, width: number | null) => void;
  freeze: (columns: number) => void;
  undo: () => void;
  redo: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onCopy: (event: ClipboardEvent) => void;
  onCut: (event: ClipboardEvent) => void;
  onPaste: (event: ClipboardEvent) => void;
}

export interface GridSource {
  rows: GridRows;
  shape: GridShape;
  suggestionAt: SuggestionAt;
  /** The value in the form. A value other than the result of `onChange` was set from outside. */
  value: FormInput['value'];
  /** Returns the value that the form stores. */
  onChange: (rows: GridRows) => FormInput['value'];
  /** Called when cells changed or were pasted, identified by their grid positions. Resolves with their issues. */
  onCellsChanged: (isChanged: ChosenCells) => Promise<readonly InputIssue[]>;
  /** Actions of the screen rather than of the cells. */
  onFind: () => void;
  onMenu: (col: number) => void;
}

/** All user actions on the cells of an input grid; the form owns `rows`. */
export function useGridEditing(source: GridSource): GridEditing {
  const { rows, shape } = source;
  const [selected, select] = useState(() => selectCell(0, 0));
  const [edited, setEdited] = useState<EditedCell | null>(null);
  const [announcement, announce] = useState('');
  const [warning, warn] = useState('');
  const [pastedTo, setPastedTo] = useState<number | null>(null);
  const [history, setHistory] = useState<GridHistory>(NO_HISTORY);
  const [layout, setLayout] = useGridLayout(source);
  const { fault: lastIssue, set, checkBlock } = useCheckedRows(source, layout, setLayout);
  const selection = mapSelection(selected, (row) => Math.max(0, Math.min(row, rows.length - 1)));
  const commit = ({ rows: next = rows, layout: nextLayout = layout }: Partial<GridState>, isChecked = true): void => {
    if (next === rows && nextLayout === layout) return;
    setHistory(remember(history, { rows, layout }));
    set(next, nextLayout, isChecked);
  };
  const context: GridContext = {
    rows,
    shape,
    layout,
    selection,
    edited,
    suggestionAt: source.suggestionAt,
    select,
    setEdited,
    announce,
    warn,
    commit,
  };
  const go = (step: Step | null, said: string): void => {
    if (!step) return;
    setHistory(step.history);
    set(hasSameCells(step.state.rows, rows) ? rows : step.state.rows, step.state.layout);
    announce(said);
    warn('');
  };
  const editing: GridEditing = {
    ...commandsOf(context),
    rows,
    shape,
    layout,
    selection,
    edited,
    announcement,
    warning,
    lastIssue,
    select,
    pastedTo,
    ...stepsOf(history),
    undo: () => go(undoStep(history, { rows, layout }), t('Undone.')),
    redo: () => go(redoStep(history, { rows, layout }), t('Redone.')),
    onKeyDown: (event) => onKeyDown(context, editing, source, event),
    onPaste: (event) => {
      const block = pasteFrom({ ...context, commit: (change) => commit(change, false) }, event);
      if (hasWholeRow(block, shape)) setPastedTo(block.bottom + 1);
      checkBlock(block);
    },
  };
  return editing;
}

const stepsOf = ({ past, future }: GridHistory) => ({
  lastState: past.at(-1) ?? null,
  canUndo: past.length > 0,
  canRedo: future.length > 0,
});

/** A single cell does not count as a whole row, unless the grid has only one column. */
const hasWholeRow = ({ top, left, bottom, right }: CellBlock, { width }: GridShape): boolean =>
  bottom > top || right > left || width === 1;

/**
 * Passes rows to the form and reports issues of the changed cells. For a pasted block, unchanged cells are checked too.
 */
function useCheckedRows(source: GridSource, layout: GridLayout, setLayout: (layout: GridLayout) => void) {
  const { rows } = source;
  const setOwn = useRefilter(source, layout, setLayout);
  const [lastIssue, setLastIssue] = useState('');
  const check = async (isChanged: ChosenCells): Promise<void> => {
    const [first] = await source.onCellsChanged(isChanged);
    setLastIssue(first ? issueText(first) : '');
  };
  const set = (next: GridRows, nextLayout: GridLayout, isChecked = true): void => {
    if (nextLayout !== layout) setLayout(nextLayout);
    if (next === rows) return;
    setOwn(source.onChange(next));
    if (isChecked) void check((row, col) => next[row]?.[col] !== rows[row]?.[col]);
  };
  const checkBlock = (block: CellBlock): void => void check((row, col) => isInBlock(block, row, col));
  return { fault: lastIssue, set, checkBlock };
}

/** Drops visible rows that no longer exist, because the form may have received other rows. */
function useGridLayout({ rows }: GridSource): [GridLayout, (layout: GridLayout) => void] {
  const [layout, setLayout] = useState(PLAIN_LAYOUT);
  const isBeyond = layout.shown !== null && (layout.shown.at(-1) ?? -1) >= rows.length;
  const fitting = isBeyond ? { ...layout, shown: layout.shown!.filter((row) => row < rows.length) } : layout;
  return [fitting, setLayout];
}

/**
 * Filters again when the value was set from outside, by a suggestion or an earlier run. Returns a function that
 * registers the grid's own values.
 */
function useRefilter(
  source: GridSource,
  layout: GridLayout,
  setLayout: (layout: GridLayout) => void,
): (value: FormInput['value']) => void {
  const own = useRef(source.value);
  useEffect(() => {
    if (own.current === source.value) return;
    own.current = source.value;
    if (layout.filters.size > 0) setLayout(withFilters(layout, layout.filters, source.rows, source));
  }, [source, layout, setLayout]);
  return (value) => {
    own.current = value;
  };
}

function commandsOf(context: GridContext) {
  const block = (): CellBlock => selectedBlock(context.selection);
  return {
    edit: (position: GridPosition, text: string | null = null) => startEdit(context, position, text),
    finish: (text: string | null, move: CellMove) => finishEdit(context, text, move),
    toggle: (position: GridPosition) => toggleCell(context, position),
    remove: (row: number) => removeShownRows(context, row, row),
    removeSelected: () => removeShownRows(context, block().top, block().bottom),
    removeFrom: (row: number) => removeRowsFrom(context, row),
    insert: () => insertAtSelection(context),
    answer: (col: number, region: TextRegion) =>
      commitRows(context, answerColumn(context.rows, col, region, context.shape)),
    fill: (target: FillTarget, invert: boolean) => fillSelection(context, target, invert),
    fillDown: () => fillSelectionDown(context),
    fillToNeighbour: () => fillToNeighbour(context),
    reveal: (position: GridPosition) => reveal(context, position),
    sort: (col: number, descending: boolean) => sortByColumn(context, col, descending),
    filter: (col: number, texts: ReadonlySet<string> | null) => filterByColumn(context, col, texts),
    clearFilters: () => clearFilters(context),
    setWidth: (col: number, width: number | null) => setColumnWidth(context, col, width),
    freeze: (columns: number) => freezeColumns(context, columns),
    onCopy: (event: ClipboardEvent) => copyCells(context, event),
    onCut: (event: ClipboardEvent) => {
      copyCells(context, event);
      clearSelected(context);
    },
  };
}

function onKeyDown(context: GridContext, editing: GridEditing, source: GridSource, event: KeyboardEvent): void {
  const { selection, shape, rows, layout } = context;
  const pressed = { key: event.key, ctrl: event.ctrlKey || event.metaKey, shift: event.shiftKey, alt: event.altKey };
  const size = { rows: shownCount(rows, layout.shown), cols: shape.width, page: ROWS_SHOWN - 1 };
  // Use screen positions, because keys cannot move to hidden rows.
  const onScreen = mapSelection(selection, (row) => screenRowOf(row, rows, layout.shown));
  const action = gridAction(onScreen, pressed, size);
  if (!action || rows.length === 0) return;
  event.preventDefault();
  if (action.kind === 'find') source.onFind();
  else if (action.kind === 'menu') source.onMenu(selection.active.col);
  else if (action.kind === 'move') {
    const moved = mapSelection(action.selection, (screenRow) => rowAt(screenRow, rows, layout.shown));
    context.select(passHidden(moved, selection.active.col, shape));
  } else if (!shape.isReadOnly(selection.active.row, selection.active.col) || action.kind !== 'edit') {
    apply(context, editing, action);
  }
}

function apply(context: GridContext, editing: GridEditing, action: GridAction): void {
  const { active } = context.selection;
  const isBoolean = context.shape.kind(active.row, active.col).usage === 'Boolean';
  if (action.kind === 'clear') clearSelected(context);
  else if (action.kind === 'removeRows') editing.removeSelected();
  else if (action.kind === 'insertRows') editing.insert();
  else if (action.kind === 'fillDown') fillSelectionDown(context);
  else if (action.kind === 'fillRight') fillSelectionRight(context);
  else if (action.kind === 'undo') editing.undo();
  else if (action.kind === 'redo') editing.redo();
  else if (action.kind === 'toggle' || action.kind === 'edit') {
    const text = action.kind === 'toggle' ? ' ' : action.text;
    if (isBoolean && (action.kind === 'toggle' || text === null)) toggleCell(context, active);
    else startEdit(context, active, text);
  }
}
