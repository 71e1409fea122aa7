/** Calculates outdated cells component by component, in an order in which few cells must wait for others. */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { Flag } from '../kernels/chunk.ts';
import { MAX_ROUNDS } from '../kernels/limits.ts';
import { CalculationError } from '../engine.ts';
import type { Component } from './components.ts';
import type { Evaluator } from './evaluator.ts';
import { calculateCells } from './calculate-cells.ts';
import { iterate } from './iterate.ts';
import type { OutOfDate } from './out-of-date.ts';
import type { SheetCells } from './sheet-cells.ts';

/**
 * Repeats until nothing is outdated, because spilled arrays may change what was read before. With `needed`, calculates
 * only these components; the rest stays outdated.
 */
export function calculateAll(
  evaluator: Evaluator,
  outOfDate: OutOfDate,
  needed: ReadonlySet<number> | null = null,
): void {
  const { results } = evaluator;
  for (let round = 0; ; round += 1) {
    const wanted = wantedComponents(evaluator, outOfDate, needed);
    if (wanted.length === 0) return;
    if (round > MAX_ROUNDS) throw new CalculationError('circular', 'Arrays keep changing the cells they depend on');
    calculateOnce(evaluator, outOfDate, wanted);
    const changed = results.changed;
    results.changed = [];
    for (const { sheet, block } of changed) {
      outOfDate.changed(sheet, block);
      unblock(evaluator, outOfDate, sheet, block);
    }
  }
}

/** Marks blocked arrays as outdated if something changed in the range they need. */
export function unblock({ results }: Evaluator, outOfDate: OutOfDate, sheet: number, block: CellBlock): void {
  for (const [number, { sheet: own, block: filled, wanted }] of results.spills.all()) {
    if (filled !== null || wanted === null || own !== sheet) continue;
    const isOff =
      wanted.top > block.bottom || wanted.bottom < block.top || wanted.left > block.right || wanted.right < block.left;
    const at = { top: wanted.top, left: wanted.left, bottom: wanted.top, right: wanted.left };
    if (!isOff) outOfDate.mark(number, at);
  }
}

function wantedComponents(evaluator: Evaluator, { blocks }: OutOfDate, needed: ReadonlySet<number> | null): number[] {
  if (blocks.size === 0) return [];
  const { of } = evaluator.book.order;
  const wanted = new Set<number>();
  for (const group of blocks.keys()) if (needed?.has(of[group]!) ?? true) wanted.add(of[group]!);
  return [...wanted].sort((a, b) => a - b);
}

function calculateOnce(evaluator: Evaluator, outOfDate: OutOfDate, wanted: readonly number[]): void {
  const { components } = evaluator.book.order;
  for (const index of wanted) {
    const component = components[index]!;
    calculateComponent(evaluator, component, outOfDate);
    for (const group of component.groups) outOfDate.blocks.delete(group);
  }
}

function calculateComponent(evaluator: Evaluator, component: Component, { blocks }: OutOfDate): void {
  const { book, stack } = evaluator;
  const cells = component.groups.flatMap((group) =>
    (blocks.get(group) ?? []).map((block) => ({ sheet: book.groups[group]!.sheet, block })),
  );
  stack.metCircularReference = false;
  if (!component.isCircular) for (const { sheet, block } of cells) byColumns(evaluator, sheet, block);
  else if (component.rows === -1 || component.rows === 1) sweep(evaluator, cells, 'top', 'bottom', component.rows);
  else if (component.cols === -1 || component.cols === 1) sweep(evaluator, cells, 'left', 'right', component.cols);
  else for (const { sheet, block } of inReadingOrder(cells)) calculateCells(evaluator, sheet, block);
  if (stack.metCircularReference && stack.iterates) iterate(evaluator, cells);
}

function byColumns(evaluator: Evaluator, sheet: number, { top, left, bottom, right }: CellBlock): void {
  for (let col = left; col <= right; col += 1) {
    calculateCells(evaluator, sheet, { top, left: col, bottom, right: col });
  }
}

const inReadingOrder = (cells: SheetCells[]): SheetCells[] =>
  cells.toSorted((a, b) => a.sheet - b.sheet || a.block.top - b.block.top || a.block.left - b.block.left);

/**
 * Sweeps row by row (or column by column) through all blocks, so that what each cell reads was calculated just before.
 */
function sweep(
  evaluator: Evaluator,
  cells: SheetCells[],
  from: 'top' | 'left',
  to: 'bottom' | 'right',
  direction: -1 | 1,
): void {
  const isDown = direction === -1;
  const start = isDown ? from : to;
  const end = isDown ? to : from;
  const step = isDown ? 1 : -1;
  const waiting = cells.toSorted((a, b) => (b.block[start] - a.block[start]) * step);
  let active: SheetCells[] = [];
  let line = waiting.at(-1)?.block[start] ?? 0;
  while (waiting.length > 0 || active.length > 0) {
    if (active.length === 0) line = waiting.at(-1)!.block[start];
    while (waiting.length > 0 && waiting.at(-1)!.block[start] === line) active.push(waiting.pop()!);
    let hasEnded = false;
    for (const own of active) {
      calculateLine(evaluator, own, from === 'top', line);
      if (own.block[end] === line) hasEnded = true;
    }
    const done = line;
    if (hasEnded) active = active.filter(({ block }) => block[end] !== done);
    line += step;
  }
}

/** Calculates one row of a block, or one column. It runs for each row of each block, so it avoids needless work. */
function calculateLine(evaluator: Evaluator, { sheet, block }: SheetCells, isRow: boolean, line: number): void {
  const { top, left, bottom, right } = block;
  const one = isRow ? { top: line, left, bottom: line, right } : { top, left: line, bottom, right: line };
  const isCell = one.top === one.bottom && one.left === one.right;
  if (isCell && evaluator.store.state(sheet, one.top, one.left) < Flag.Dirty) return;
  calculateCells(evaluator, sheet, one);
}
