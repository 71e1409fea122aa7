import { Callout } from '@blueprintjs/core';
import { WarningSign } from '@blueprintjs/icons';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject, type UIEvent } from 'react';
import { FindBar } from './FindBar.tsx';
import { GridExamples } from './GridExamples.tsx';
import { GridHead } from './GridHead.tsx';
import { GridIssues } from './GridIssues.tsx';
import { GridOverlay, rowsWithFill } from './GridOverlay.tsx';
import { GridQuestions } from './GridQuestions.tsx';
import { GridStatusLine } from './GridStatusLine.tsx';
import { GridToolbar } from './GridToolbar.tsx';
import { screenRowOf, rowAt, shownCount } from './grid-layout.ts';
import { useColumnResize } from './use-column-resize.ts';
import { useFillHandle } from './use-fill-handle.ts';
import { displayCell } from '#shared/codecs/cell-text.ts';
import {
  columnOffsets,
  columnWidth,
  hasGridTools,
  MAX_BOX_HEIGHT,
  ROW_HEIGHT,
  ROWS_SHOWN,
  visibleColumns,
  visibleRows,
} from './grid-window.ts';
import { GridRowView, type GridView } from './GridRowView.tsx';
import type { GridPosition } from './grid-selection.ts';
import { useGridEditing, type GridEditing } from './use-grid-editing.ts';
import { useGridPointing } from './use-grid-pointing.ts';
import './input-grid.css';
import { INPUT_GRID_KEYS } from '#renderer/ui/key-groups.ts';
import { useKeys } from '#renderer/ui/page-keys.ts';
import type { InputGridProps } from './grid-view.ts';

const NUMBER_WIDTH = 56;
const REMOVE_WIDTH = 36;
/** Maximum share of the visible width for frozen columns, so that the scrolling columns keep enough space. */
const MAX_FROZEN_SHARE = 0.6;

/**
 * Editable grid. Blueprint's table displays cells well, but lacks keyboard editing and roles for screen readers. This
 * grid draws only visible rows and follows the grid pattern of the ARIA Authoring Practices.
 */
export function InputGrid(props: InputGridProps) {
  const { rows, shape, disabled } = props;
  useKeys(INPUT_GRID_KEYS);
  const [isFinding, setFinding] = useState(false);
  const [menu, setMenu] = useState<number | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const focusGrid = (): void => scroller.current?.focus({ preventScroll: true });
  const hasMenus = hasGridTools(rows.length, shape.rowsVariable);
  const editing = useGridEditing({
    ...props,
    onFind: () => setFinding(true),
    onMenu: (col) => hasMenus && setMenu(col),
  });
  useFirstIssueSelected(props, editing.reveal);
  return (
    <>
      {hasMenus && (
        <GridToolbar
          label={props.name}
          editing={editing}
          disabled={disabled}
          onFind={() => setFinding(!isFinding)}
          focusGrid={focusGrid}
        />
      )}
      {isFinding && (
        <FindBar
          editing={editing}
          suggestionAt={props.suggestionAt}
          onClose={() => {
            setFinding(false);
            focusGrid();
          }}
        />
      )}
      <GridBox
        {...props}
        editing={editing}
        scroller={scroller}
        focusGrid={focusGrid}
        hasMenus={hasMenus}
        menu={menu}
        onMenu={(col) => {
          setMenu(col);
          if (col === null) focusGrid();
        }}
      />
      <div role="alert">
        {editing.warning !== '' && (
          <Callout compact icon={<WarningSign />} intent="warning" className="rs-input-grid-warning">
            {editing.warning}
          </Callout>
        )}
      </div>
      <GridExamples editing={editing} examples={props.examples} focusGrid={focusGrid} />
      <GridQuestions editing={editing} columnNames={props.columnNames} />
      <GridStatusLine editing={editing} />
      <div className="rs-input-grid-said">
        <div className="rs-input-grid-note rs-muted" aria-live="polite">
          {editing.announcement}
        </div>
        <div className="rs-visually-hidden" aria-live="polite">
          {editing.lastIssue}
        </div>
      </div>
      <GridIssues
        id={`${props.id}-issues`}
        issues={props.issueList}
        onGo={(issue) => {
          editing.reveal(props.positionOfIssue(issue));
          focusGrid();
        }}
      />
    </>
  );
}

interface GridBoxProps extends InputGridProps {
  editing: GridEditing;
  scroller: RefObject<HTMLDivElement | null>;
  focusGrid: () => void;
  hasMenus: boolean;
  menu: number | null;
  onMenu: (col: number | null) => void;
}

/** The scrolling part: headings, cells and overlay. */
function GridBox(props: GridBoxProps) {
  const { id, rows, shape, disabled, editing, scroller, hasMenus, focusGrid } = props;
  const { layout } = editing;
  const pointing = useGridPointing(editing);
  const resize = useColumnResize(editing);
  const [scroll, readScroll] = useScroll(scroller);
  const offsets = useColumnOffsets(props, resize.resized);
  const headWidth = useHeadWidth(props);
  const frozen = offsets[layout.frozen]! + headWidth > scroll.width * MAX_FROZEN_SHARE ? 0 : layout.frozen;
  const geometry = { offsets, headWidth, frozenWidth: offsets[frozen] ?? 0 };
  const fill = useFillHandle(editing, scroller, geometry);
  const { active } = editing.selection;
  const count = shownCount(rows, layout.shown);
  useActiveCellInView(
    scroller,
    { row: screenRowOf(active.row, rows, layout.shown), col: active.col },
    geometry,
    frozen,
  );
  const span = visibleRows(scroll.top, scroll.height, count);
  const columns = visibleColumns(scroll.left, scroll.width, offsets);
  const view: GridView = { ...props, editing, ...geometry, frozen, hasMenus, columns };
  return (
    <div
      ref={scroller}
      id={id}
      className="rs-input-grid"
      role="grid"
      tabIndex={0}
      aria-labelledby={props.labelledBy}
      aria-describedby={
        [props.describedBy, props.issueList.length > 0 && `${id}-issues`].filter(Boolean).join(' ') || undefined
      }
      aria-rowcount={rows.length + 1}
      aria-colcount={shape.width + 1}
      aria-readonly={disabled || undefined}
      aria-multiselectable
      aria-activedescendant={rows.length > 0 ? `${id}-${active.row}-${active.col}` : undefined}
      style={{ maxHeight: MAX_BOX_HEIGHT }}
      onScroll={readScroll}
      onKeyDown={editing.edited ? undefined : editing.onKeyDown}
      onCopy={editing.edited ? undefined : editing.onCopy}
      onCut={editing.edited || disabled ? undefined : editing.onCut}
      onPaste={editing.edited || disabled ? undefined : editing.onPaste}
      {...pointing}
    >
      <GridHead view={view} resize={resize} menu={props.menu} onMenu={props.onMenu} />
      <div
        role="rowgroup"
        className="rs-input-grid-body"
        style={{ height: rowsWithFill(count, editing, fill.target) * ROW_HEIGHT, width: headWidth + offsets.at(-1)! }}
      >
        {Array.from({ length: Math.max(0, span.last - span.first + 1) }, (_, index) => {
          const row = rowAt(span.first + index, rows, layout.shown);
          return <GridRowView key={row} view={view} row={row} screenRow={span.first + index} focusGrid={focusGrid} />;
        })}
        <GridOverlay editing={editing} geometry={geometry} frozen={frozen} fill={fill} disabled={disabled} />
      </div>
    </div>
  );
}

interface Scrolled {
  top: number;
  left: number;
  width: number;
  height: number;
}

const scrolledOf = ({ scrollTop, scrollLeft, clientWidth, clientHeight }: HTMLElement): Scrolled => ({
  top: scrollTop,
  left: scrollLeft,
  width: clientWidth,
  height: clientHeight,
});

/** Tracks the visible part of the grid, including changes of the window width. */
function useScroll(scroller: RefObject<HTMLDivElement | null>) {
  const [scroll, setScroll] = useState<Scrolled>({ top: 0, left: 0, width: 800, height: ROW_HEIGHT * ROWS_SHOWN });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setScroll(scrolledOf(element)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  const read = (event: UIEvent<HTMLDivElement>): void => setScroll(scrolledOf(event.currentTarget));
  return [scroll, read] as const;
}

function useHeadWidth({ rowNames, shape }: InputGridProps): number {
  return (rowNames.length > 0 ? columnWidth('', rowNames) : NUMBER_WIDTH) + (shape.rowsVariable ? REMOVE_WIDTH : 0);
}

function useColumnOffsets(
  { rows, shape, columnNames, columnNotes, suggestionAt, editing }: GridBoxProps,
  resized: { col: number; width: number } | null,
): number[] {
  const measured = rows.slice(0, 200);
  const chosen = (col: number): number | undefined =>
    resized?.col === col ? resized.width : editing.layout.widths.get(col);
  const widths = Array.from({ length: shape.width }, (_, col) =>
    shape.isHidden(col)
      ? 0
      : (chosen(col) ??
        columnWidth(
          `${columnNames[col] ?? ''} ${columnNotes[col] ?? ''}`.trimEnd(),
          measured.map((cells, row) =>
            displayCell(cells[col] || (suggestionAt(row, col) ?? cells[col] ?? null), shape.kind(row, col)),
          ),
        )),
  );
  const key = widths.join();
  // Return the same offsets while the widths are unchanged, so that rows are not laid out again.
  return useMemo(() => columnOffsets(key === '' ? [] : key.split(',').map(Number)), [key]);
}

/**
 * After a refused start, selects the first cell with an issue. Nobody would find it among thousands of rows by
 * scrolling.
 */
function useFirstIssueSelected(
  { attempt, issueList, positionOfIssue }: InputGridProps,
  reveal: (position: GridPosition) => void,
): void {
  const shown = useRef(attempt);
  useEffect(() => {
    if (shown.current === attempt) return;
    shown.current = attempt;
    const first = issueList.find(({ row, col }) => row !== undefined && col !== undefined);
    if (first) reveal(positionOfIssue(first));
  }, [attempt, issueList, positionOfIssue, reveal]);
}

/** @param active active cell; its row is the position on the screen */
function useActiveCellInView(
  scroller: RefObject<HTMLDivElement | null>,
  active: GridPosition,
  { offsets, headWidth, frozenWidth }: { offsets: number[]; headWidth: number; frozenWidth: number },
  frozen: number,
): void {
  const { row, col } = active;
  const moved = useRef(false);
  useLayoutEffect(() => {
    const element = scroller.current;
    // Do not scroll on mount: the page must not jump to a grid that the user has not visited.
    if (!element || !moved.current) {
      moved.current = true;
      return;
    }
    const top = row * ROW_HEIGHT;
    const hiddenBelow = top + 2 * ROW_HEIGHT - element.clientHeight;
    const left = (offsets[col] ?? 0) - frozenWidth;
    const hiddenRight = (offsets[col + 1] ?? 0) + headWidth - element.clientWidth;
    element.scrollTo({
      top: Math.max(Math.min(element.scrollTop, top), hiddenBelow),
      ...(col < frozen ? {} : { left: Math.min(Math.max(element.scrollLeft, hiddenRight), left) }),
    });
  }, [scroller, row, col, offsets, headWidth, frozenWidth, frozen]);
}
