import { InputGroup } from '@blueprintjs/core';
import { Filter } from '@blueprintjs/icons';
import { createStore, useStore, type StoreApi } from 'zustand';
import { t } from '#renderer/language/translate.ts';
import type { GridView } from './use-grid-view.ts';

/** The filter field above a grid, and the number of matching rows. */
export function GridFilter({ label, view, total }: { label: string; view: GridView; total: number }) {
  return (
    <div className="rs-grid-filter">
      <InputGroup
        type="search"
        leftIcon={<Filter />}
        placeholder={t('Filter')}
        aria-label={t('Filter {label}', { label })}
        value={view.filter}
        onValueChange={view.setFilter}
      />
      <span className="rs-muted" role="status">
        {view.filter.trim() === ''
          ? t('{total, plural, one {# row} other {# rows}}', { total })
          : t('{shownCount} of {total, plural, one {# row} other {# rows}}', { shownCount: view.shown.length, total })}
      </span>
    </div>
  );
}

/** The rendered range: first and last row and column, inclusive. */
export interface GridWindow {
  firstRow: number;
  lastRow: number;
  firstCol: number;
  lastCol: number;
}

/** A separate store, because it changes with every scroll step, and only GridRows should render again. */
export const createGridWindow = (): StoreApi<GridWindow> =>
  createStore<GridWindow>(() => ({ firstRow: 0, lastRow: -1, firstCol: 0, lastCol: -1 }));

interface GridRowsProps {
  label: string;
  gridId: string;
  /** Includes the header; -1 while further rows may follow. */
  rowCount: number;
  colCount: number;
  inView: StoreApi<GridWindow>;
}

/**
 * Blueprint renders cells side by side without row elements. This invisible grid has rows that own the cells by id, so
 * that screen readers find the header, row number and column of each. It stands beside the table instead of around it,
 * because a surrounding element would contain the cells twice.
 */
export function GridRows({ label, gridId, rowCount, colCount, inView }: GridRowsProps) {
  const { firstRow, lastRow, firstCol, lastCol } = useStore(inView);
  const columns = between(firstCol, Math.min(lastCol, colCount - 1));
  return (
    <div role="grid" aria-label={label} aria-rowcount={rowCount} aria-colcount={colCount} aria-multiselectable="true">
      <div role="row" aria-rowindex={1} aria-owns={columns.map((col) => `${gridId}-h${col}`).join(' ')} />
      {between(firstRow, lastRow).map((row) => (
        <div
          key={row}
          role="row"
          aria-rowindex={row + 2}
          aria-owns={columns.map((col) => `${gridId}-r${row}c${col}`).join(' ')}
        />
      ))}
    </div>
  );
}

const between = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
