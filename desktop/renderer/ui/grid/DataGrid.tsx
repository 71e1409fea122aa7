import { Button, HotkeysContext } from '@blueprintjs/core';
import { RegionCardinality, RenderMode, Table, type Region } from '@blueprintjs/table';
import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type MouseEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { t } from '#renderer/language/translate.ts';
import { TABLE_KEYS } from '#renderer/ui/key-groups.ts';
import { useRowHeight } from '#renderer/ui/density.ts';
import { MoreFailure, type FurtherPages } from '#renderer/ui/LoadMore.tsx';
import { useKeys } from '#renderer/ui/page-keys.ts';
import { EmptyState } from '#renderer/ui/states.tsx';
import { showMessage } from '#renderer/ui/toaster.tsx';
import { usePrinting } from '#renderer/ui/use-printing.ts';
import { copyTables } from './copy-tables.ts';
import { drawColumns } from './grid-columns.tsx';
import { createGridWindow, GridFilter, GridRows } from './GridParts.tsx';
import { GRID_HOTKEYS } from './grid-hotkeys.ts';
import {
  columnWidths,
  copiedRows,
  drawnWidths,
  fittedWidths,
  HEADER_HEIGHT,
  toClipboardText,
  type CellPosition,
  type GridColumn,
} from './grid-model.ts';
import { PrintedTable } from './PrintedTable.tsx';
import { useGridFocus } from './use-grid-focus.ts';
import { useGridView, type GridViewOptions } from './use-grid-view.ts';
import '@blueprintjs/table/lib/css/table.css';
import './data-grid.css';

export interface DataGridProps<Row> extends GridViewOptions {
  /** Accessible name of the grid: 'Runs of Loan schedule'. */
  label: string;
  rows: readonly Row[];
  /** Keep this list's identity between renders (useMemo); otherwise every cell is rendered again. */
  columns: readonly GridColumn<Row>[];
  /** Shown instead of the grid while there are no rows. */
  empty: string;
  /** Action shown below `empty`. */
  emptyAction?: ReactNode;
  /** Maximum number of rows in view before the grid scrolls; default 10. */
  maxRows?: number;
  /** Minimum and maximum width of a column; default 50 and 400. */
  minColumnWidth?: number;
  maxColumnWidth?: number;
  /** Called for a click on a row, or Enter. Columns with their own onClick take precedence. */
  onRowClick?: (row: Row) => void;
  /** True to show a field above the grid that filters rows by the words typed. */
  filterable?: boolean;
  /** False disables sorting for all columns. */
  sortable?: boolean;
  /** Further rows on the server. They are fetched when the last row comes into view, and after a failure on demand. */
  more?: FurtherPages;
  /** False if the page prints the rows itself. */
  isPrinted?: boolean;
  /** Called with the filtered and sorted rows, as indices into `rows`. */
  onShownRows?: (indices: number[]) => void;
}

/** Size of a scrollbar, if there is one. */
const SCROLLBAR = 16;
/** The border, and the pixels by which Blueprint's handles and lines extend beyond the last column and row. */
const EDGES = 4;

/**
 * A grid for any number of rows and columns: on screen, only those in view are rendered. When printing, all filtered
 * rows are rendered.
 */
export function DataGrid<Row>(props: DataGridProps<Row>) {
  const { rows, columns, label, empty, filterable } = props;
  const view = useGridView(rows, columns, props);
  const isPrinting = usePrinting();
  const { onShownRows } = props;
  useEffect(() => onShownRows?.(view.shown), [onShownRows, view.shown]);
  // An empty first page may be followed by further pages.
  if (rows.length === 0 && props.more?.isFetchNextPageError) return <MoreFailure query={props.more} />;
  if (rows.length === 0) return <EmptyState title={empty} action={props.emptyAction} />;
  return (
    <div className="rs-grid-block">
      {filterable && <GridFilter label={label} view={view} total={rows.length} />}
      {view.shown.length === 0 ? (
        <EmptyState
          title={t('No rows match the filter')}
          action={<Button text={t('Clear filter')} onClick={() => view.setFilter('')} />}
        />
      ) : (
        <>
          {isPrinting && props.isPrinted !== false && (
            <PrintedTable columns={columns} rows={view.shown.map((index) => rows[index]!)} />
          )}
          <HotkeysContext value={GRID_HOTKEYS}>
            <GridTable {...props} view={view} />
          </HotkeysContext>
        </>
      )}
      {props.more && <MoreFailure query={props.more} />}
    </div>
  );
}

function GridTable<Row>(props: DataGridProps<Row> & { view: ReturnType<typeof useGridView<Row>> }) {
  const { rows, columns, view, label, maxRows = 10, onRowClick } = props;
  useKeys(TABLE_KEYS);
  const gridId = useId();
  const rowHeight = useRowHeight();
  const root = useRef<HTMLDivElement>(null);
  const [inView] = useState(createGridWindow);
  // Number of rows when the last row was in view: with more rows, a different row is the last one.
  const [endSeenOf, setEndSeenOf] = useState(0);
  const { shown, sort, setSort } = view;
  const rowAt = useCallback((index: number): Row => rows[shown[index]!]!, [rows, shown]);
  const page = Math.min(maxRows, view.shown.length);
  const beside = (page < view.shown.length ? SCROLLBAR : 0) + EDGES;
  const available = useAvailableWidth(root);
  const [widths, onWidthChanged] = useWidths(props, available - beside);

  const activate = (at: CellPosition): boolean => {
    const action = columns[at.col]?.onClick ?? (columns[at.col]?.isActions ? undefined : onRowClick);
    action?.(rowAt(at.row));
    return action !== undefined;
  };
  const focus = useGridFocus({
    gridId,
    root,
    rows: view.shown.length,
    cols: columns.length,
    page,
    widths,
    rowHeight,
    onCopy: (region) => void copyCells(region, columns, rowAt),
    onEnter: activate,
  });
  useUnfocusableTable(root);
  useLoadMore(props.more, endSeenOf === shown.length);

  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const at = clickedCell(event);
    if (!at || hasDragged(focus.regions)) return;
    focus.focusCell(at);
    activate(at);
  };
  const [hasRowClick, sortable] = [onRowClick !== undefined, props.sortable !== false];
  // Memoized while only the focus or the scroll position changes: new columns make Blueprint measure every row again.
  const drawnColumns = useMemo(
    () => drawColumns({ gridId, columns, rowAt, hasRowClick, sort, setSort, sortable }),
    [gridId, columns, rowAt, hasRowClick, sort, setSort, sortable],
  );
  const width = widths.reduce((sum, each) => sum + each, 0) + beside;
  // In that case, there is a scrollbar below the rows.
  const overflows = width > available;
  return (
    <div
      ref={root}
      className="rs-grid"
      style={{ height: HEADER_HEIGHT + page * rowHeight + EDGES + (overflows ? SCROLLBAR : 0), width }}
      onKeyDownCapture={focus.onKeyDown}
      onClick={onClick}
    >
      <GridRows
        label={label}
        gridId={gridId}
        rowCount={props.more?.hasNextPage ? -1 : view.shown.length + 1}
        colCount={columns.length}
        inView={inView}
      />
      <Table
        // Blueprint keeps the heights of the rows that it has drawn.
        key={rowHeight}
        numRows={view.shown.length}
        columnWidths={widths}
        defaultRowHeight={rowHeight}
        enableRowHeader={false}
        enableRowResizing={false}
        selectionModes={[RegionCardinality.CELLS]}
        selectedRegions={focus.regions}
        onSelection={focus.setRegions}
        enableMultipleSelection={false}
        onColumnWidthChanged={onWidthChanged}
        onVisibleCellsChange={(seenRows, seenCols) => {
          setEndSeenOf(seenRows.rowIndexEnd >= shown.length - 1 ? shown.length : 0);
          inView.setState({
            firstRow: seenRows.rowIndexStart,
            lastRow: seenRows.rowIndexEnd,
            firstCol: seenCols.columnIndexStart,
            lastCol: seenCols.columnIndexEnd,
          });
        }}
        onCompleteRender={focus.onDrawn}
        cellRendererDependencies={[drawnColumns]}
        renderMode={RenderMode.NONE}
      >
        {drawnColumns}
      </Table>
    </div>
  );
}

/** Determines widths from the content until the user drags a column: then all columns retain their current widths. */
function useWidths<Row>(
  props: DataGridProps<Row>,
  available: number,
): [number[], (index: number, width: number) => void] {
  const { columns, rows, sortable, minColumnWidth: min, maxColumnWidth: max } = props;
  const [dragged, setDragged] = useState<Record<string, number>>({});
  const byContent = useMemo(() => columnWidths(columns, rows, { min, max }), [columns, rows, min, max]);
  const drawn = useMemo(() => drawnWidths(columns, rows, { min, sortable }), [columns, rows, min, sortable]);
  const fitted = useMemo(
    () => fittedWidths(columns, byContent, drawn, available),
    [columns, byContent, drawn, available],
  );
  const widths = useMemo(
    () => columns.map((column, index) => dragged[column.key] ?? fitted[index]!),
    [columns, fitted, dragged],
  );
  const onChanged = useCallback(
    (index: number, width: number) => {
      const currentWidths = Object.fromEntries(columns.map((column, at) => [column.key, widths[at]!]));
      const key = columns[index]?.key;
      if (key !== undefined) setDragged((before) => ({ ...currentWidths, ...before, [key]: width }));
    },
    [columns, widths],
  );
  return [widths, onChanged];
}

/** Blueprint makes the table itself focusable, but the tab stop must be the focused cell. */
function useUnfocusableTable(root: RefObject<HTMLDivElement | null>): void {
  useEffect(() => root.current?.querySelector('.bp6-table-container')?.removeAttribute('tabindex'), [root]);
}

/** Returns the number of pixels available for the columns. */
function useAvailableWidth(root: RefObject<HTMLDivElement | null>): number {
  const [available, setAvailable] = useState(Infinity);
  useLayoutEffect(() => {
    const block = root.current?.parentElement;
    if (!block) return undefined;
    const observer = new ResizeObserver(() => setAvailable(block.clientWidth));
    observer.observe(block);
    return () => observer.disconnect();
  }, [root]);
  return available;
}

function useLoadMore(more: FurtherPages | undefined, isEndInView: boolean): void {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = more ?? {};
  // After a failure, the grid does not retry automatically.
  const isWanted = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (isWanted && isEndInView) void fetchNextPage?.();
  }, [isWanted, isEndInView, fetchNextPage]);
}

function clickedCell(event: MouseEvent<HTMLElement>): CellPosition | null {
  const target = event.target as HTMLElement;
  if (target.closest('button, a, input, select, .bp6-popover')) return null;
  const cell = target.closest<HTMLElement>('[role="gridcell"]');
  return cell ? { row: Number(cell.dataset['row']), col: Number(cell.dataset['col']) } : null;
}

/** Returns whether the mouse selected several cells instead of clicking one. */
function hasDragged(regions: readonly Region[]): boolean {
  return regions.some(({ rows, cols }) => (rows && rows[0] !== rows[1]) || (cols && cols[0] !== cols[1]));
}

async function copyCells<Row>(
  region: Region,
  columns: readonly GridColumn<Row>[],
  rowAt: (index: number) => Row,
): Promise<void> {
  const [firstRow, lastRow] = region.rows ?? [0, 0];
  const [firstCol, lastCol] = region.cols ?? [0, columns.length - 1];
  const copied = columns.slice(firstCol, lastCol + 1).filter((column) => !column.isActions);
  const picked = Array.from({ length: lastRow - firstRow + 1 }, (_, index) => rowAt(firstRow + index));
  const cells = copiedRows(copied, picked);
  const text = toClipboardText(cells.map((row) => row.map((cell) => cell.text)));
  if (await copyTables(text, [{ title: '', header: [], rows: cells }])) showMessage(t('Copied'));
}
