import { Callout } from '@blueprintjs/core';
import { WarningSign } from '@blueprintjs/icons';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { FormCell } from '#shared/codecs/input-form.ts';
import type { GridRows, GridShape } from './grid-rows.ts';
import { displayCell } from './cell-text.ts';
import { columnOffsets, columnWidth, ROW_HEIGHT, ROWS_SHOWN, visibleColumns, visibleRows } from './grid-window.ts';
import { GridRowView, type GridView } from './GridRowView.tsx';
import { selectCell } from './grid-selection.ts';
import { useGridEditing } from './use-grid-editing.ts';
import { useGridPointing } from './use-grid-pointing.ts';
import type { PickerSource } from './picker-source.ts';
import './input-grid.css';

export interface InputGridProps {
  id: string;
  /** Id of the element that names the grid. */
  labelledBy: string;
  describedBy?: string;
  columnNames: readonly string[];
  /** Beside the name in the header; missing ones are blank. */
  columnNotes: readonly string[];
  /** Headers at the left; where there are none, rows are numbered. */
  rowNames: readonly string[];
  rows: GridRows;
  shape: GridShape;
  disabled: boolean;
  /** Count of the starts that were refused. */
  attempt: number;
  /** Message of the cell at `${row}:${col}`. */
  issues: ReadonlyMap<string, string>;
  /** What a formula gives in a cell that nobody fills in; null where none does. */
  suggestionAt: (row: number, col: number) => FormCell;
  pickerOf: (row: number, col: number) => PickerSource | null;
  onChange: (rows: GridRows) => void;
}

const NUMBER_WIDTH = 56;
const REMOVE_WIDTH = 36;

/**
 * A grid to type into. Blueprint's table shows cells well, but has neither a keyboard to edit by nor roles for screen
 * readers; this one draws the rows in sight and follows the grid pattern of the ARIA Authoring Practices.
 */
export function InputGrid(props: InputGridProps) {
  const { id, rows, shape, disabled, columnNames, rowNames } = props;
  const editing = useGridEditing(rows, shape, props.onChange);
  useFirstIssueSelected(props.attempt, props.issues, editing.select);
  const scroller = useRef<HTMLDivElement>(null);
  const pointing = useGridPointing(editing);
  const [scroll, setScroll] = useState({ top: 0, left: 0, width: 800, height: ROW_HEIGHT * ROWS_SHOWN });
  const offsets = useColumnOffsets(props);
  const headWidth =
    (rowNames.length > 0 ? columnWidth('', rowNames) : NUMBER_WIDTH) + (shape.rowsVariable ? REMOVE_WIDTH : 0);
  const readScroll = (): void => {
    const element = scroller.current;
    if (element)
      setScroll({
        top: element.scrollTop,
        left: element.scrollLeft,
        width: element.clientWidth,
        height: element.clientHeight,
      });
  };
  useLayoutEffect(readScroll, []);
  useActiveCellInView(scroller, editing.selection.active, offsets, headWidth);
  const span = visibleRows(scroll.top, scroll.height, rows.length);
  const view: GridView = {
    ...props,
    editing,
    offsets,
    headWidth,
    columns: visibleColumns(scroll.left, scroll.width, offsets),
  };
  const { active } = editing.selection;
  return (
    <>
      <div
        ref={scroller}
        id={id}
        className="rs-input-grid"
        role="grid"
        tabIndex={0}
        aria-labelledby={props.labelledBy}
        aria-describedby={props.describedBy}
        aria-rowcount={rows.length + 1}
        aria-colcount={shape.width + 1}
        aria-readonly={disabled || undefined}
        aria-multiselectable
        aria-activedescendant={rows.length > 0 ? `${id}-${active.row}-${active.col}` : undefined}
        style={{ maxHeight: ROW_HEIGHT * (ROWS_SHOWN + 1) + 18 }}
        onScroll={readScroll}
        onKeyDown={editing.edited ? undefined : editing.onKeyDown}
        onCopy={editing.edited ? undefined : editing.onCopy}
        onCut={editing.edited || disabled ? undefined : editing.onCut}
        onPaste={editing.edited || disabled ? undefined : editing.onPaste}
        {...pointing}
      >
        <GridHead view={view} names={columnNames} />
        <div
          role="rowgroup"
          className="rs-input-grid-body"
          style={{ height: rows.length * ROW_HEIGHT, width: headWidth + offsets.at(-1)! }}
        >
          {Array.from({ length: Math.max(0, span.last - span.first + 1) }, (_, index) => (
            <GridRowView
              key={span.first + index}
              view={view}
              row={span.first + index}
              focusGrid={() => scroller.current?.focus()}
            />
          ))}
        </div>
      </div>
      <div role="alert">
        {editing.warning !== '' && (
          <Callout compact icon={<WarningSign />} intent="warning" className="rs-input-grid-warning">
            {editing.warning}
          </Callout>
        )}
      </div>
      <div className="rs-input-grid-note rs-muted" aria-live="polite">
        {editing.announcement}
      </div>
    </>
  );
}

function GridHead({ view, names }: { view: GridView; names: readonly string[] }) {
  const { offsets, headWidth, shape } = view;
  return (
    <div role="rowgroup" className="rs-input-grid-head" style={{ width: headWidth + offsets.at(-1)! }}>
      <div role="row" aria-rowindex={1} className="rs-input-grid-row">
        <div role="columnheader" aria-colindex={1} className="rs-input-grid-corner" style={{ width: headWidth }}>
          <span className="rs-visually-hidden">Row</span>
        </div>
        {Array.from({ length: shape.width }, (_, col) => col)
          .filter((col) => !shape.isHidden(col))
          .map((col) => (
            <div
              key={col}
              role="columnheader"
              aria-colindex={col + 2}
              title={names[col]}
              className={`rs-usage-${shape.kind(0, col).usage}`}
              style={{ left: headWidth + offsets[col]!, width: offsets[col + 1]! - offsets[col]! }}
            >
              {names[col] || <span className="rs-muted">{col + 1}</span>}
              {view.columnNotes[col] && <span className="rs-input-grid-hint"> {view.columnNotes[col]}</span>}
            </div>
          ))}
      </div>
    </div>
  );
}

function useColumnOffsets({ rows, shape, columnNames, columnNotes, suggestionAt }: InputGridProps): number[] {
  const measured = rows.slice(0, 200);
  const widths = Array.from({ length: shape.width }, (_, col) =>
    shape.isHidden(col)
      ? 0
      : columnWidth(
          `${columnNames[col] ?? ''} ${columnNotes[col] ?? ''}`.trimEnd(),
          measured.map((cells, row) =>
            displayCell(cells[col] || (suggestionAt(row, col) ?? cells[col] ?? null), shape.kind(row, col)),
          ),
        ),
  );
  const key = widths.join();
  // Widths that did not change keep their offsets, so that rows need not be laid out again.
  return useMemo(() => columnOffsets(key === '' ? [] : key.split(',').map(Number)), [key]);
}

/** A refused start goes to the first cell that is wrong: of thousands of rows nobody finds it by scrolling. */
function useFirstIssueSelected(
  attempt: number,
  issues: InputGridProps['issues'],
  select: (selection: ReturnType<typeof selectCell>) => void,
): void {
  const shown = useRef(attempt);
  useEffect(() => {
    if (shown.current === attempt) return;
    shown.current = attempt;
    const [first] = issues.keys();
    if (first === undefined) return;
    const [row = 0, col = 0] = first.split(':').map(Number);
    select(selectCell(row, col));
  }, [attempt, issues, select]);
}

function useActiveCellInView(
  scroller: React.RefObject<HTMLDivElement | null>,
  active: { row: number; col: number },
  offsets: number[],
  headWidth: number,
): void {
  const { row, col } = active;
  const moved = useRef(false);
  useLayoutEffect(() => {
    const element = scroller.current;
    // Not on arrival: the page must not jump to a grid nobody went to.
    if (!element || !moved.current) {
      moved.current = true;
      return;
    }
    const top = row * ROW_HEIGHT;
    const hiddenBelow = top + 2 * ROW_HEIGHT - element.clientHeight;
    const left = offsets[col] ?? 0;
    const hiddenRight = (offsets[col + 1] ?? 0) + headWidth - element.clientWidth;
    element.scrollTo({
      top: Math.max(Math.min(element.scrollTop, top), hiddenBelow),
      left: Math.min(Math.max(element.scrollLeft, hiddenRight), left),
    });
  }, [scroller, row, col, offsets, headWidth]);
}
