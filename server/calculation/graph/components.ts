/**
 * Determines the order in which groups are calculated: each after the groups it reads. Groups that read each other form
 * one component.
 */
import type { FormulaGroup } from './formula-groups.ts';
import type { GroupIndex } from './group-index.ts';
import { coveredBlock } from './reads.ts';
import type { Read } from './reads.ts';

export interface Component {
  /** Group numbers. */
  groups: number[];
  /** True if a cell of it may depend on another cell of it. */
  isCircular: boolean;
  /**
   * Direction of dependencies within the component: every cell reads only cells at or above its row (-1), at or below
   * (1), in its own row (0), or any (null). `cols` is the same for columns.
   */
  rows: Direction;
  cols: Direction;
}

export type Direction = -1 | 0 | 1 | null;

export interface Order {
  components: Component[];
  /** Index of the component by group. */
  of: Int32Array;
}

/**
 * Maximum number of group overlaps that are examined. Beyond it, all groups count as one component, whose cells are
 * calculated on demand.
 */
const MAX_EDGES = 30_000_000;

export function orderGroups(
  groups: readonly FormulaGroup[],
  groupIndex: GroupIndex,
  reads: (group: number) => readonly Read[],
): Order {
  const edges = edgesOf(groups, groupIndex, reads);
  const found = edges ? strongComponents(groups.length, edges) : [groups.map((_, index) => index)];
  const of = new Int32Array(groups.length);
  found.forEach((members, index) => {
    for (const member of members) of[member] = index;
  });
  const components = found.map((members): Component => {
    const isCircular = members.length > 1 || edges === null || edges[members[0]!]!.includes(members[0]!);
    if (!isCircular) return { groups: members, isCircular, rows: 0, cols: 0 };
    return { groups: members, isCircular, ...directions(members, groups, groupIndex, reads, of) };
  });
  return { components, of };
}

/** Returns the distinct groups that each group reads; null if there are too many. */
function edgesOf(
  groups: readonly FormulaGroup[],
  groupIndex: GroupIndex,
  reads: (group: number) => readonly Read[],
): number[][] | null {
  const seenBy = new Int32Array(groups.length).fill(-1);
  let visited = 0;
  const edges: number[][] = [];
  for (let index = 0; index < groups.length; index += 1) {
    const own: number[] = [];
    for (const read of reads(index)) {
      groupIndex.visit(read.sheet, coveredBlock(read, groups[index]!), (other) => {
        visited += 1;
        if (seenBy[other] === index) return;
        seenBy[other] = index;
        own.push(other);
      });
      if (visited > MAX_EDGES) return null;
    }
    edges.push(own);
  }
  return edges;
}

/** Tarjan's algorithm without recursion. Components come after those they read. */
export function strongComponents(count: number, edges: readonly number[][]): number[][] {
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const isOpen = new Uint8Array(count);
  const next = new Int32Array(count);
  const open: number[] = [];
  const path: number[] = [];
  const components: number[][] = [];
  let numbered = 0;
  const enter = (node: number): void => {
    index[node] = low[node] = numbered++;
    isOpen[node] = 1;
    open.push(node);
    path.push(node);
  };
  for (let root = 0; root < count; root += 1) {
    if (index[root]! >= 0) continue;
    enter(root);
    while (path.length > 0) {
      const node = path.at(-1)!;
      const target = edges[node]![next[node]!];
      if (target !== undefined) {
        next[node]! += 1;
        if (index[target]! < 0) enter(target);
        else if (isOpen[target] === 1) low[node] = Math.min(low[node]!, index[target]!);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!);
      if (low[node] !== index[node]) continue;
      const members: number[] = [];
      for (let member = -1; member !== node;) {
        member = open.pop()!;
        isOpen[member] = 0;
        members.push(member);
      }
      components.push(members.reverse());
    }
  }
  return components;
}

/** Returns the directions in which the cells of a component read each other. */
function directions(
  members: readonly number[],
  groups: readonly FormulaGroup[],
  groupIndex: GroupIndex,
  reads: (group: number) => readonly Read[],
  of: Int32Array,
): { rows: Direction; cols: Direction } {
  const component = of[members[0]!]!;
  const rows = new Set<Direction>();
  const cols = new Set<Direction>();
  for (const member of members) {
    const group = groups[member]!;
    const isArray = group.record.kind !== 'cells';
    for (const read of reads(member)) {
      let isWithin = false;
      groupIndex.visit(read.sheet, coveredBlock(read, group), (other) => {
        isWithin ||= of[other] === component;
      });
      if (!isWithin) continue;
      const isElsewhere = isArray || read.sheet !== group.sheet;
      rows.add(isElsewhere ? null : direction(read.row1, read.row2, read.absolute & 1, read.absolute & 4));
      cols.add(isElsewhere ? null : direction(read.col1, read.col2, read.absolute & 2, read.absolute & 8));
    }
  }
  return { rows: joined(rows), cols: joined(cols) };
}

function direction(first: number, last: number, isFirstFixed: number, isLastFixed: number): Direction {
  if (isFirstFixed !== 0 || isLastFixed !== 0) return null;
  if (first === 0 && last === 0) return 0;
  if (first <= 0 && last <= 0) return -1;
  return first >= 0 && last >= 0 ? 1 : null;
}

function joined(found: ReadonlySet<Direction>): Direction {
  const ways = [...found].filter((way) => way !== 0);
  if (ways.length === 0) return 0;
  return ways.every((way) => way === ways[0]) ? ways[0]! : null;
}
