import { useMemo, useState } from 'react';
import { filteredIndices, sortedIndices, type GridColumn, type GridSort } from './grid-model.ts';

export interface GridView {
  /** Indices into `rows`, in displayed order. */
  shown: number[];
  sort: GridSort | null;
  setSort: (sort: GridSort | null) => void;
  filter: string;
  setFilter: (filter: string) => void;
}

export interface GridViewOptions {
  /** If both are given, the caller stores the sort order, for example in the URL. */
  sort?: GridSort | null;
  onSortChange?: (sort: GridSort | null) => void;
  /** True if the rows are already sorted, as in pages from a server that sorts. */
  isSorted?: boolean;
  filter?: string;
  onFilterChange?: (filter: string) => void;
}

/** Returns which rows a grid shows and in which order; the state is stored here or by the caller. */
export function useGridView<Row>(
  rows: readonly Row[],
  columns: readonly GridColumn<Row>[],
  options: GridViewOptions,
): GridView {
  const [ownSort, setOwnSort] = useState<GridSort | null>(null);
  const [ownFilter, setOwnFilter] = useState('');
  const sort = options.sort === undefined ? ownSort : options.sort;
  const filter = options.filter ?? ownFilter;
  const shown = useMemo(
    () => sortedIndices(rows, filteredIndices(rows, columns, filter), columns, options.isSorted ? null : sort),
    [rows, columns, sort, filter, options.isSorted],
  );
  return {
    shown,
    sort,
    setSort: options.onSortChange ?? setOwnSort,
    filter,
    setFilter: options.onFilterChange ?? setOwnFilter,
  };
}
