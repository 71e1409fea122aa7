/**
 * Totals of the 1,024 cells of a chunk, counted once for all formulas and ranges that read them. They are stored with
 * the chunk until one of its cells changes.
 */
import { CellKind } from '../reader/workbook-model.ts';
import { Flag } from './chunk.ts';
import type { Chunk, ChunkTotals } from './chunk.ts';

/**
 * Numbers are 'whole' if they are multiples of 1/PARTS. Sums of such numbers, up to LARGEST_EXACT, are exact in any
 * order.
 */
const PARTS = 1024;
/** This is 2^53 / PARTS. */
export const LARGEST_EXACT = 2 ** 43;

export const isWhole = (value: number): boolean => value * PARTS === Math.trunc(value * PARTS);

/** Returns null if a cell still has to be calculated. */
export function chunkTotals(chunk: Chunk): ChunkTotals | null {
  if (chunk.totals?.version === chunk.version) return chunk.totals;
  const totals = countChunk(chunk);
  chunk.totals = totals;
  return totals;
}

function countChunk({ version, size, kinds, numbers: values }: Chunk): ChunkTotals | null {
  let numbers = 0;
  let filled = 0;
  let errors = 0;
  let least = Infinity;
  let greatest = -Infinity;
  let sum = 0;
  let magnitude = 0;
  let clean: Float64Array | null = null;
  for (let at = 0; at < size; at += 1) {
    const kind = kinds[at]!;
    if (kind === CellKind.Number) {
      const value = values[at]!;
      numbers += 1;
      filled += 1;
      if (value < least) least = value;
      if (value > greatest) greatest = value;
      sum += value;
      magnitude += isWhole(value) ? Math.abs(value) : Infinity;
      continue;
    }
    if (kind >= Flag.Dirty) return null;
    if (values[at] !== 0) (clean ??= values.slice())[at] = 0;
    if (kind === CellKind.Blank) continue;
    filled += 1;
    if (kind === CellKind.Error) errors += 1;
  }
  return { version, numbers, filled, errors, least, greatest, sum, magnitude, values: clean ?? values, sorted: null };
}

/** Returns the numbers of a chunk in ascending order; `totals` must be the totals of this chunk. */
export function sortedNumbers({ kinds, numbers }: Chunk, totals: ChunkTotals): Float64Array {
  if (totals.sorted) return totals.sorted;
  const sorted = new Float64Array(totals.numbers);
  let count = 0;
  for (let at = 0; at < kinds.length; at += 1) if (kinds[at] === CellKind.Number) sorted[count++] = numbers[at]!;
  totals.sorted = sorted.sort();
  return totals.sorted;
}
