/** Where steps stand in the drawing: where somebody put them, else where the layout does. */
import { Graph, layout } from '@dagrejs/dagre';
import type { ChainEdge } from '#shared/rules/chains/types.ts';

/** Pixels. */
export const NODE_WIDTH = 190;
export const NODE_HEIGHT = 62;

export interface PlacedStep {
  Key: string;
  After: readonly ChainEdge[];
  X?: number;
  Y?: number;
}

export interface Place {
  x: number;
  y: number;
}

/** The upper left corner of each step by its key: from the top down, each below what it comes after. */
export function placesOf(steps: readonly PlacedStep[]): ReadonlyMap<string, Place> {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 36, ranksep: 52 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { Key } of steps) graph.setNode(Key, { width: NODE_WIDTH, height: NODE_HEIGHT });
  const known = new Set(steps.map(({ Key }) => Key));
  for (const { Key, After } of steps) {
    for (const { Step } of After) if (known.has(Step) && Step !== Key) graph.setEdge(Step, Key);
  }
  layout(graph);
  return new Map(
    steps.map(({ Key, X, Y }) => {
      const { x, y } = graph.node(Key) as Place;
      return [
        Key,
        X === undefined || Y === undefined ? { x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 } : { x: X, y: Y },
      ];
    }),
  );
}
