import { InputGroup } from '@blueprintjs/core';
import { Filter } from '@blueprintjs/icons';
import { createStore, useStore, type StoreApi } from 'zustand';
import { t } from '#renderer/language/translate.ts';
import type { GridView } from './use-grid-view.ts';

/** The field above a grid, and how many rows it leaves. */
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
          ? t('{total} rows', { total })
          : t('{shownCount} of {total} rows', { shownCount: view.shown.length, total })}
      </span>
    </div>
  );
}

/** What is drawn: first and last row and column, both included. */
export interface GridWindow {
  firstRow: number;
  lastRow: number;
  firstCol: number;
  lastCol: number;
}

/** Changes with every step of scrolling: a store of its own, so that only the rows below are drawn again. */
export const createGridWindow = (): StoreApi<GridWindow> =>
  createStore<GridWindow>(() => ({ firstRow: 0, lastRow: -1, firstCol: 0, lastCol: -1 }));

interface GridRowsProps {
  label: string;
  gridId: string;
  /** With the header; -1 while more may come. */
  rowCount: number;
  colCount: number;
  inView: StoreApi<GridWindow>;
}

/**
 * Blueprint draws cells side by side without rows. This grid has no looks: its rows own the cells by id, so that a screen
 * reader finds header, row number and column of each. It stands beside the table, not around it: an element around would
 * hold the cells twice.
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
