/** Cells of a design's sheets, fetched in parts as they come into view. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DesignCell, DesignPart, DesignSheet } from '#shared/contract/designs.ts';

export type CellValue = DesignCell[2];
export type RowCells = ReadonlyMap<number, DesignCell>;

/** `version` changes whenever cells arrive or could not be fetched. */
interface Fetched {
  version: number;
  /** Why parts of a sheet are missing; null if no fetch failed. */
  failure: { sheet: number; error: unknown } | null;
}

export interface SheetCells {
  store: StoreApi<Fetched>;
  /** Returns the cells of a row by column, an empty map if the row is blank, or undefined if it is not fetched yet. */
  row: (sheet: number, row: number) => RowCells | undefined;
  /** Fetches the missing parts of some rows. Resolves when they have arrived or failed. */
  need: (sheet: number, firstRow: number, lastRow: number) => Promise<void>;
  /** Clears the failure, so that the missing parts are fetched again. */
  retry: () => void;
}

const NO_CELLS: RowCells = new Map();

type Fetch = (sheet: number, part: number) => Promise<DesignPart>;

export function createSheetCells(sheets: readonly DesignSheet[], fetchPart: Fetch): SheetCells {
  const store = createStore<Fetched>(() => ({ version: 0, failure: null }));
  const parts = new Map<string, { coming: Promise<void>; isThere: boolean }>();
  const rows = sheets.map(() => new Map<number, RowCells>());
  const keyOf = (sheet: number, part: number): string => `${sheet}/${part}`;

  const load = async (sheet: number, part: number): Promise<void> => {
    try {
      const { Rows } = await fetchPart(sheet, part);
      for (const [row, cells] of Rows) rows[sheet]!.set(row, new Map(cells.map((cell) => [cell[0], cell])));
      parts.set(keyOf(sheet, part), { coming: Promise.resolve(), isThere: true });
      store.setState(({ version }) => ({ version: version + 1 }));
    } catch (error) {
      parts.delete(keyOf(sheet, part));
      store.setState(({ version }) => ({ version: version + 1, failure: { sheet, error } }));
    }
  };

  const need = async (sheet: number, firstRow: number, lastRow: number): Promise<void> => {
    const { Parts, Rows } = sheets[sheet]!;
    // Only the user retries. Otherwise each failure would immediately be followed by the next.
    if (firstRow >= Rows || Parts.length === 0 || store.getState().failure?.sheet === sheet) return;
    const wanted: Promise<void>[] = [];
    for (let part = partOf(Parts, firstRow); part <= partOf(Parts, Math.min(lastRow, Rows - 1)); part += 1) {
      const key = keyOf(sheet, part);
      if (!parts.has(key)) parts.set(key, { coming: load(sheet, part), isThere: false });
      wanted.push(parts.get(key)!.coming);
    }
    await Promise.all(wanted);
  };

  return {
    store,
    row: (sheet, row) => {
      const { Parts, Rows } = sheets[sheet]!;
      // A sheet that has only merged cells has no parts.
      if (row >= Rows || Parts.length === 0) return NO_CELLS;
      return parts.get(keyOf(sheet, partOf(Parts, row)))?.isThere ? (rows[sheet]!.get(row) ?? NO_CELLS) : undefined;
    },
    need,
    retry: () => store.setState(({ version }) => ({ version: version + 1, failure: null })),
  };
}

/** Returns the index of the part that holds a row. `firstRows` begins with 0. */
export function partOf(firstRows: readonly number[], row: number): number {
  let [low, high] = [0, Math.max(0, firstRows.length - 1)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (firstRows[middle]! <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns undefined if the row is not fetched yet, and null for a blank cell. */
export function valueAt(cells: SheetCells, sheet: number, row: number, col: number): CellValue | undefined {
  const found = cells.row(sheet, row);
  return found && (found.get(col)?.[2] ?? null);
}
