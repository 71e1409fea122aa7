import { useCallback, useMemo, useState } from 'react';
import { columnWidths, drawnWidths, fittedWidths, type GridColumn } from './grid-model.ts';
import { frozenColumns, type FrozenColumns } from './frozen-columns.ts';
import { useListLayout } from './list-layouts.ts';
import { chosenWidth } from './stored-layouts.ts';

export interface GridColumnsOptions<Row> {
  rows: readonly Row[];
  columns: readonly GridColumn<Row>[];
  /**
   * Name under which the person's widths and frozen columns are stored; null if they are not. By default, lists with
   * the same columns share a layout.
   */
  list?: string | null;
  minColumnWidth?: number;
  maxColumnWidth?: number;
  sortable?: boolean;
}

export interface GridColumns extends FrozenColumns {
  widths: number[];
  setWidth: (index: number, width: number) => void;
  freeze: (count: number) => void;
}

/**
 * Determines widths from the content, except for the columns that the person has dragged. While a page is open, all
 * columns retain their widths once one was dragged; the next time, only the dragged ones have a width of their own.
 */
export function useGridColumns<Row>(options: GridColumnsOptions<Row>, available: number): GridColumns {
  const { columns, rows, sortable, minColumnWidth: min, maxColumnWidth: max } = options;
  const list = options.list === undefined ? columns.map(({ key }) => key).join(' ') : options.list;
  const [layout, change] = useListLayout(list);
  const [held, setHeld] = useState<Readonly<Record<string, number>>>({});
  const sized = useMemo(
    () =>
      columns.map((column) => {
        const width = chosenWidth(layout, column.key) ?? chosenWidth({ widths: held }, column.key);
        return width === undefined ? column : { ...column, width, givesWayTo: Infinity };
      }),
    [columns, layout, held],
  );
  const byContent = useMemo(() => columnWidths(sized, rows, { min, max }), [sized, rows, min, max]);
  const drawn = useMemo(() => drawnWidths(sized, rows, { min, sortable }), [sized, rows, min, sortable]);
  const widths = useMemo(() => fittedWidths(sized, byContent, drawn, available), [sized, byContent, drawn, available]);
  const frozen = useMemo(
    () => frozenColumns(columns, widths, available, layout.frozen),
    [columns, widths, available, layout.frozen],
  );
  const setWidth = useCallback(
    (index: number, width: number) => {
      const key = columns[index]?.key;
      if (key === undefined) return;
      setHeld(Object.fromEntries(columns.map((column, at) => [column.key, widths[at]!])));
      change({ widths: { ...layout.widths, [key]: width } });
    },
    [columns, widths, layout, change],
  );
  const freeze = useCallback((count: number) => change({ frozen: count }), [change]);
  return { widths, setWidth, ...frozen, freeze };
}
