/** The status line of an input grid: statistics of the selected cells, as in Excel's status bar. */
import type { CellUsage } from '#shared/contract/parameters.ts';
import { displayCell, type CellKind } from '#shared/codecs/cell-text.ts';
import { personRegion } from '#renderer/language/region.ts';
import { t } from '#renderer/language/translate.ts';
import { shownColumns, type CellBlock, type GridRows, type GridShape } from './grid-rows.ts';
import { rowsOfBlock, type GridLayout } from './grid-layout.ts';

export interface CellSummary {
  /** Number of cells that are not blank. */
  count: number;
  numbers: number;
  sum: number;
  min: number;
  max: number;
  /** The common format of all numbers; null if their columns differ. */
  kind: CellKind | null;
  /** True if some numbers have more digits than a sum would preserve. */
  hasExact: boolean;
}

/** Returns null if fewer than two cells are selected. Cells in rows hidden by a filter do not count. */
export function summarizeCells(
  rows: GridRows,
  block: CellBlock,
  shape: GridShape,
  shown: GridLayout['shown'],
): CellSummary | null {
  const lines = rowsOfBlock(block, rows, shown);
  const columns = shownColumns(shape, block.left, Math.min(block.right, shape.width - 1));
  if (lines.length * columns.length < 2) return null;
  const summary: CellSummary = {
    count: 0,
    numbers: 0,
    sum: 0,
    min: Infinity,
    max: -Infinity,
    kind: null,
    hasExact: false,
  };
  const kinds = new Set<string>();
  for (const col of columns) {
    const { usage, isExact } = shape.kind(lines[0]!, col);
    for (const row of lines) {
      const cell = rows[row]![col] ?? null;
      if (cell === null || cell === '' || (cell === false && usage === 'Boolean')) continue;
      summary.count += 1;
      if (isExact && typeof cell === 'string') summary.hasExact = true;
      if (typeof cell === 'number') addNumber(summary, kinds, cell, shape.kind(row, col));
    }
  }
  return kinds.size > 1 ? { ...summary, kind: null } : summary;
}

function addNumber(summary: CellSummary, kinds: Set<string>, cell: number, kind: CellKind): void {
  summary.numbers += 1;
  summary.sum += cell;
  summary.min = Math.min(summary.min, cell);
  summary.max = Math.max(summary.max, cell);
  if (kinds.size < 2) kinds.add(`${kind.usage} ${kind.format}`);
  summary.kind = kind;
}

/** Returns the formatted parts in Excel's order; '' for parts that say nothing. */
export function summaryTexts({
  count,
  numbers,
  sum,
  min,
  max,
  kind,
  hasExact,
}: CellSummary): { name: string; text: string }[] {
  const all = [{ name: t('Count'), text: String(count) }];
  if (numbers === 0 || hasExact) return count === 0 ? [] : all;
  const write = (value: number, usage: CellUsage = 'Number'): string =>
    displayCell(digits15(value), kind ?? { usage, format: 'General', maxSize: null, region: personRegion() });
  const ends = [
    { name: t('Min'), text: write(min) },
    { name: t('Max'), text: write(max) },
  ];
  // A sum of dates is meaningless, although Excel shows one.
  if (kind?.usage === 'Date') return [...all, ...ends];
  return [{ name: t('Average'), text: write(sum / numbers) }, ...all, ...ends, { name: t('Sum'), text: write(sum) }];
}

/** 0.1 + 0.2 is 0.3, as in Excel. */
const digits15 = (value: number): number => Number(value.toPrecision(15));
