import { Cell, Column, ColumnHeaderCell } from '@blueprintjs/table';
import type { CSSProperties, JSX } from 'react';
import { Link } from 'react-router-dom';
import { nextSort, type CellPosition, type GridColumn, type GridSort } from './grid-model.ts';
import { GridHeader } from './GridHeader.tsx';
import { cellId, takeOutOfTabOrder } from './use-grid-focus.ts';

interface ColumnOptions<Row> {
  gridId: string;
  columns: readonly GridColumn<Row>[];
  /** Returns the row at an index in the displayed order. */
  rowAt: (index: number) => Row;
  hasRowClick: boolean;
  sort: GridSort | null;
  setSort: (sort: GridSort | null) => void;
  /** True if the grid's columns can be sorted at all. */
  sortable: boolean;
}

/** Converts columns to Blueprint's column elements. */
export function drawColumns<Row>(options: ColumnOptions<Row>): JSX.Element[] {
  return options.columns.map((column, col) => (
    <Column
      key={column.key}
      id={column.key}
      columnHeaderCellRenderer={(index) => drawHeader(options, column, index)}
      cellRenderer={(row) => drawCell(options, column, { row, col })}
    />
  ));
}

function drawHeader<Row>(options: ColumnOptions<Row>, column: GridColumn<Row>, index: number): JSX.Element {
  const { gridId, sort, setSort } = options;
  const header = (
    <GridHeader
      column={column}
      id={`${gridId}-h${index}`}
      index={index}
      sort={sort}
      isSortable={options.sortable && column.sortable !== false && !column.isActions}
      onSort={(key) => setSort(nextSort(sort, key))}
    />
  );
  const className = column.tone ? `rs-grid-${column.tone}` : undefined;
  return <ColumnHeaderCell index={index} name={column.title} className={className} nameRenderer={() => header} />;
}

function drawCell<Row>(options: ColumnOptions<Row>, column: GridColumn<Row>, at: CellPosition): JSX.Element {
  const { gridId, hasRowClick } = options;
  return (
    <GridCell
      column={column}
      row={options.rowAt(at.row)}
      at={at}
      gridId={gridId}
      isClickable={column.onClick !== undefined || (hasRowClick && !column.isActions)}
    />
  );
}

interface GridCellProps<Row> {
  column: GridColumn<Row>;
  row: Row;
  at: CellPosition;
  gridId: string;
  isClickable: boolean;
  className?: string;
  style?: CSSProperties;
}

/** Blueprint clones cells to set their position and classes; all other attributes are set on the element itself. */
function GridCell<Row>({ column, row, at, gridId, isClickable, className, style }: GridCellProps<Row>) {
  const text = column.text(row);
  const content = column.render ? column.render(row) : text;
  const to = column.to?.(row) ?? null;
  const hint = column.hint?.(row);
  const classes = [
    className,
    'rs-grid-cell',
    column.align === 'right' && 'rs-grid-right',
    isClickable && hint !== '' && 'rs-grid-clickable',
    (column.onClick || to !== null) && hint === undefined && 'rs-grid-link',
  ];
  return (
    <Cell
      style={style}
      className={classes.filter(Boolean).join(' ')}
      tabIndex={-1}
      tooltip={hint || column.tooltip?.(row) || (column.isActions || text.length < 20 ? undefined : text)}
      truncated={false}
      interactive={column.isActions}
      cellRef={(element) => markCell(element, gridId, at)}
    >
      {to === null ? content : <Link to={to}>{content}</Link>}
    </Cell>
  );
}

function markCell(element: HTMLElement | null, gridId: string, at: CellPosition): void {
  if (!element) return;
  element.id = cellId(gridId, at);
  element.setAttribute('role', 'gridcell');
  element.setAttribute('aria-colindex', String(at.col + 1));
  element.dataset['row'] = String(at.row);
  element.dataset['col'] = String(at.col);
  takeOutOfTabOrder(element);
}
