/** Determines the order of steps. */
import type { WorkflowEdge, WorkflowGraph, WorkflowStep } from './types.ts';

export const stepsByKey = ({ Steps }: WorkflowGraph): ReadonlyMap<string, WorkflowStep> =>
  new Map(Steps.map((step) => [step.Key, step]));

/**
 * Sorts steps topologically; otherwise they keep their given order. Steps in a cycle, or after one, are omitted. Edges
 * from unknown steps are ignored.
 */
export function orderedSteps(graph: WorkflowGraph): WorkflowStep[] {
  const known = stepsByKey(graph);
  const placed = new Set<string>();
  const order: WorkflowStep[] = [];
  let left = [...graph.Steps];
  for (;;) {
    const next = left.filter(({ After }) => After.every(({ Step }) => placed.has(Step) || !known.has(Step)));
    if (next.length === 0) return order;
    for (const step of next) placed.add(step.Key);
    order.push(...next);
    left = left.filter((step) => !placed.has(step.Key));
  }
}

/** Returns the steps of one cycle in the order of its edges, each step once; null if there is no cycle. */
export function findCycle(graph: WorkflowGraph): WorkflowStep[] | null {
  const known = stepsByKey(graph);
  const placed = new Set(orderedSteps(graph).map(({ Key }) => Key));
  let step = graph.Steps.find(({ Key }) => !placed.has(Key));
  if (!step) return null;
  // A step that cannot be placed has an edge from another such step, so following these edges backwards must reach a
  // step twice.
  const path: WorkflowStep[] = [];
  while (!path.includes(step)) {
    path.push(step);
    const before: WorkflowEdge = step.After.find(({ Step }) => known.has(Step) && !placed.has(Step))!;
    step = known.get(before.Step)!;
  }
  return [...path.slice(path.indexOf(step)), step].toReversed();
}

/** Returns the keys of all transitive predecessors of a step. */
export function stepsBefore(graph: WorkflowGraph, key: string): ReadonlySet<string> {
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
