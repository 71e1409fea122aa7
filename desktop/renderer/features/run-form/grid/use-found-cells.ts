import { useEffect, useState } from 'react';
import type { GridRows } from './grid-rows.ts';
import type { GridPosition } from './grid-selection.ts';
import { findInRows, linesToSearch, type FindContext } from './find-cells.ts';

/** Rows per chunk; a chunk takes a few milliseconds. */
const ROWS_PER_CHUNK = 1000;

interface Search {
  rows: GridRows;
  text: string;
  shown: FindContext['shown'];
  found: readonly GridPosition[];
}

/**
 * Finds the cells that contain a text; null until all rows were searched. It searches in chunks, so that typing in a
 * grid of 50,000 rows stays responsive.
 */
export function useFoundCells(rows: GridRows, text: string, context: FindContext): readonly GridPosition[] | null {
  const { shape, shown, suggestionAt } = context;
  const [search, setSearch] = useState<Search | null>(null);
  useEffect(() => {
    const own = { shape, shown, suggestionAt };
    const lines = linesToSearch(rows, text, own);
    const found: GridPosition[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const searchFrom = (from: number): void => {
      const end = from + ROWS_PER_CHUNK;
      found.push(...findInRows(rows, lines.slice(from, end), text, own));
      if (end < lines.length) timer = setTimeout(searchFrom, 0, end);
      else setSearch({ rows, text, shown, found });
    };
    searchFrom(0);
    return () => clearTimeout(timer);
  }, [rows, text, shape, shown, suggestionAt]);
  const isCurrent = search !== null && search.rows === rows && search.text === text && search.shown === shown;
  return isCurrent ? search.found : null;
}
