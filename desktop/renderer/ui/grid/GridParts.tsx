import { InputGroup } from '@blueprintjs/core';
import { Filter } from '@blueprintjs/icons';
import type { GridView } from './use-grid-view.ts';

/** The field above a grid, and how many rows it leaves. */
export function GridFilter({ label, view, total }: { label: string; view: GridView; total: number }) {
  return (
    <div className="rs-grid-filter">
      <InputGroup
        type="search"
        leftIcon={<Filter />}
        placeholder="Filter"
        aria-label={`Filter ${label}`}
        value={view.filter}
        onValueChange={view.setFilter}
      />
      <span className="rs-muted" role="status">
        {view.filter.trim() === '' ? `${total} rows` : `${view.shown.length} of ${total} rows`}
      </span>
    </div>
  );
}

interface GridRowsProps {
  gridId: string;
  cols: number;
  first: number;
  last: number;
  focused: number;
}

/**
 * Blueprint draws cells side by side without rows. These rows have no looks: they own the cells by id, so that a screen
 * reader finds header, row number and column of each.
 */
export function GridRows({ gridId, cols, first, last, focused }: GridRowsProps) {
  const columns = Array.from({ length: cols }, (_, col) => col);
  const inView = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  const rows = focused < first || focused > last ? [...inView, focused] : inView;
  return (
    <>
      <div role="row" aria-rowindex={1} aria-owns={columns.map((col) => `${gridId}-h${col}`).join(' ')} />
      {rows.map((row) => (
        <div
          key={row}
          role="row"
          aria-rowindex={row + 2}
          aria-owns={columns.map((col) => `${gridId}-r${row}c${col}`).join(' ')}
        />
      ))}
    </>
  );
}
