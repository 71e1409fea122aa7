/** Follows formulas to the formulas they read: how deep each one is, and which inputs it depends on. */
import { coveredBlock } from '#server/calculation/graph/reads.ts';
import type { FormulaGroup } from '#server/calculation/graph/formula-groups.ts';
import { GroupIndex } from '#server/calculation/graph/group-index.ts';
import type { SheetBlock } from '#server/calculation/graph/scope.ts';
import { intersects } from '../definitions/blocks.ts';
import type { GroupReads } from './cell-reads.ts';

/** Maximum number of steps between groups in total. Groups beyond it count as typed in. */
const MAX_STEPS = 1_000_000;
/** Maximum number of groups followed per group that reads them. */
const MAX_PRECEDENTS = 100;
/** Maximum number of inputs that are counted: the bits of two numbers. */
const MAX_INPUTS = 62;
const HALF = MAX_INPUTS / 2;

export interface FormulaGraph {
  groups: readonly GroupReads[];
  /** Per group: the groups it reads. */
  precedents: readonly (readonly number[])[];
  /** All groups, each after those it reads. A circular reference is cut at one of its groups. */
  order: readonly number[];
}

interface Visit {
  group: number;
  next: number;
}

export function formulaGraph(groups: readonly GroupReads[], sheetCount: number): FormulaGraph {
  const precedents = precedentsOf(groups, sheetCount);
  const order: number[] = [];
  const isSeen = new Uint8Array(groups.length);
  for (let first = 0; first < groups.length; first++) {
    if (isSeen[first] === 1) continue;
    isSeen[first] = 1;
    const open: Visit[] = [{ group: first, next: 0 }];
    for (let visit = open.at(-1); visit; visit = open.at(-1)) {
      const next = precedents[visit.group]![visit.next++];
      if (next === undefined) {
        order.push(visit.group);
        open.pop();
      } else if (isSeen[next] === 0) {
        isSeen[next] = 1;
        open.push({ group: next, next: 0 });
      }
    }
  }
  return { groups, precedents, order };
}

function precedentsOf(groups: readonly GroupReads[], sheetCount: number): number[][] {
  const places = new GroupIndex(
    sheetCount,
    groups.map(({ group }) => group),
  );
  let left = MAX_STEPS;
  return groups.map(({ group, reads }, number) => {
    const found = new Set<number>();
    for (const read of reads) {
      if (left <= 0 || found.size >= MAX_PRECEDENTS) break;
      places.visit(read.sheet, coveredBlock(read, group), (other) => {
        left--;
        if (other !== number && found.size < MAX_PRECEDENTS) found.add(other);
      });
    }
    return [...found];
  });
}

/**
 * Returns the length of the longest chain of formulas before each group: 0 if its formula reads no other formula.
 * Results come late in a workbook.
 */
export function formulaDepths({ groups, precedents, order }: FormulaGraph): Map<FormulaGroup, number> {
  const depths = new Int32Array(groups.length).fill(-1);
  for (const number of order) {
    depths[number] = precedents[number]!.reduce((max, precedent) => Math.max(max, depths[precedent]! + 1), 0);
  }
  return new Map(groups.map(({ group }, number) => [group, depths[number]!]));
}

/** Returns how many of the inputs each group depends on, directly or through other formulas. Counts the first inputs. */
export function inputCounts(
  { groups, precedents, order }: FormulaGraph,
  inputs: readonly SheetBlock[],
): Map<FormulaGroup, number> {
  const counted = inputs.slice(0, MAX_INPUTS).map(({ sheet, block }, index) => ({ sheet, block, index }));
  const bySheet = Map.groupBy(counted, ({ sheet }) => sheet);
  const low = new Int32Array(groups.length);
  const high = new Int32Array(groups.length);
  for (const number of order) {
    const { group, reads } = groups[number]!;
    for (const read of reads) {
      const own = bySheet.get(read.sheet);
      if (!own) continue;
      const block = coveredBlock(read, group);
      for (const input of own) {
        if (!intersects(block, input.block)) continue;
        const half = input.index < HALF ? low : high;
        half[number] = half[number]! | (1 << (input.index % HALF));
      }
    }
    for (const precedent of precedents[number]!) {
      low[number] = low[number]! | low[precedent]!;
      high[number] = high[number]! | high[precedent]!;
    }
  }
  return new Map(groups.map(({ group }, number) => [group, bitCount(low[number]!) + bitCount(high[number]!)]));
}

function bitCount(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}
