/** Computes the length of the longest chain of formulas before each formula: results come late in a workbook. */
import type { FormulaGroup } from '#server/calculation/graph/formula-groups.ts';
import { GroupIndex } from '#server/calculation/graph/group-index.ts';
import { coveredBlock } from '#server/calculation/graph/reads.ts';
import type { GroupReads } from './cell-reads.ts';

/** Maximum number of steps between groups in total. Groups beyond it count as typed in. */
const MAX_STEPS = 1_000_000;
/** Maximum number of groups followed per group that reads them. */
const MAX_PRECEDENTS = 100;

interface Visit {
  group: number;
  precedents: number[];
  next: number;
}

/** Returns the depth per group: 0 if its formula reads no other formula. A circular reference counts once. */
export function formulaDepths(groups: readonly GroupReads[], sheetCount: number): Map<FormulaGroup, number> {
  const groupIndex = new GroupIndex(
    sheetCount,
    groups.map(({ group }) => group),
  );
  let left = MAX_STEPS;
  const precedentsOf = (number: number): number[] => {
    const { group, reads } = groups[number]!;
    const found = new Set<number>();
    for (const read of reads) {
      if (left <= 0 || found.size >= MAX_PRECEDENTS) break;
      groupIndex.visit(read.sheet, coveredBlock(read, group), (other) => {
        left--;
        if (other !== number && found.size < MAX_PRECEDENTS) found.add(other);
      });
    }
    return [...found];
  };
  const depths = new Int32Array(groups.length).fill(-1);
  for (let first = 0; first < groups.length; first++) {
    if (depths[first]! >= 0) continue;
    const open: Visit[] = [enter(first)];
    for (let visit = open.at(-1); visit; visit = open.at(-1)) {
      const next = visit.precedents[visit.next++];
      if (next === undefined) {
        depths[visit.group] = depthOf(visit);
        open.pop();
      } else if (depths[next] === -1) open.push(enter(next));
    }
  }
  return new Map(groups.map(({ group }, number) => [group, depths[number]!]));

  /** The depth of an open group is -2, which ends circular references. */
  function enter(group: number): Visit {
    depths[group] = -2;
    return { group, precedents: precedentsOf(group), next: 0 };
  }

  function depthOf({ precedents }: Visit): number {
    return precedents.reduce((max, precedent) => Math.max(max, depths[precedent]! + 1), 0);
  }
}
