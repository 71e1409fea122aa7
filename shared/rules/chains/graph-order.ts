/** Which steps come before which. */
import type { ChainEdge, ChainGraph, ChainStep } from './types.ts';

export const stepsByKey = ({ Steps }: ChainGraph): ReadonlyMap<string, ChainStep> =>
  new Map(Steps.map((step) => [step.Key, step]));

/**
 * The steps so that each comes after those it has edges from, otherwise in the order in which they stand. Steps of a cycle, and those
 * after one, are missing. Edges from steps there are not count for nothing.
 */
export function orderedSteps(graph: ChainGraph): ChainStep[] {
  const known = stepsByKey(graph);
  const placed = new Set<string>();
  const order: ChainStep[] = [];
  let left = [...graph.Steps];
  for (;;) {
    const next = left.filter(({ After }) => After.every(({ Step }) => placed.has(Step) || !known.has(Step)));
    if (next.length === 0) return order;
    for (const step of next) placed.add(step.Key);
    order.push(...next);
    left = left.filter((step) => !placed.has(step.Key));
  }
}

/** The steps of one cycle in the order of its edges, from one of them back to the same; null where there is none. */
export function findCycle(graph: ChainGraph): ChainStep[] | null {
  const known = stepsByKey(graph);
  const placed = new Set(orderedSteps(graph).map(({ Key }) => Key));
  let step = graph.Steps.find(({ Key }) => !placed.has(Key));
  if (!step) return null;
  // What cannot be placed has an edge from something that cannot be placed: going back along these must meet a step again.
  const path: ChainStep[] = [];
  while (!path.includes(step)) {
    path.push(step);
    const before: ChainEdge = step.After.find(({ Step }) => known.has(Step) && !placed.has(Step))!;
    step = known.get(before.Step)!;
  }
  return [...path.slice(path.indexOf(step)), step].toReversed();
}

/** The keys of all steps before one, over any number of edges. */
export function stepsBefore(graph: ChainGraph, key: string): ReadonlySet<string> {
  const known = stepsByKey(graph);
  const before = new Set<string>();
  const open = [key];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const { Step } of known.get(at)?.After ?? []) {
      if (before.has(Step) || !known.has(Step)) continue;
      before.add(Step);
      open.push(Step);
    }
  }
  return before;
}
