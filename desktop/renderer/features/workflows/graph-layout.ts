/**
 * Positions of steps in the graph and routes of edges. A position chosen by a user takes precedence over the layout.
 */
import { Graph, layout } from '@dagrejs/dagre';
import type { WorkflowEdge } from '#shared/rules/workflows/types.ts';

/** In pixels. */
export const NODE_WIDTH = 190;
export const NODE_HEIGHT = 62;
const LABEL_HEIGHT = 16;
const LABEL_CHARACTER = 7;

export interface PlacedStep {
  Key: string;
  After: readonly WorkflowEdge[];
  X?: number;
  Y?: number;
}

export interface StepPosition {
  x: number;
  y: number;
}

/** The route of an edge around the steps between its ends. */
export interface Route {
  /** From the middle of a step's lower side to the middle of the next step's upper side. */
  points: readonly StepPosition[];
  /** The center of the edge's label. */
  label: StepPosition;
}

export interface Layout {
  /** The upper left corner of each step, by its key. */
  positions: ReadonlyMap<string, StepPosition>;
  /** By edgeId; edges of manually placed steps have no route. */
  routes: ReadonlyMap<string, Route>;
}

export const edgeId = (to: string, { Step, When }: WorkflowEdge): string => `${Step} ${When} ${to}`;

const isPlaced = ({ X, Y }: PlacedStep): boolean => X !== undefined && Y !== undefined;

/**
 * Lays out the steps from top to bottom, each below the steps that it follows. @param textOf returns the label of an
 * edge; '' for none
 */
export function layoutOf(steps: readonly PlacedStep[], textOf: (edge: WorkflowEdge) => string): Layout {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 36, edgesep: 24, ranksep: 52 });
  for (const { Key } of steps) graph.setNode(Key, { width: NODE_WIDTH, height: NODE_HEIGHT });
  const byKey = new Map(steps.map((step) => [step.Key, step]));
  const edges = steps.flatMap(({ Key, After }) =>
    After.filter(({ Step }) => byKey.has(Step) && Step !== Key).map((edge) => ({ to: Key, edge })),
  );
  for (const { to, edge } of edges) {
    const text = textOf(edge);
    const label = { width: text.length * LABEL_CHARACTER, height: text === '' ? 0 : LABEL_HEIGHT, labelpos: 'c' };
    graph.setEdge(edge.Step, to, label, edge.When);
  }
  layout(graph);
  const positions = new Map(
    steps.map((step) => {
      const { x, y } = graph.node(step.Key) as StepPosition;
      const byLayout = { x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 };
      return [step.Key, isPlaced(step) ? { x: step.X!, y: step.Y! } : byLayout];
    }),
  );
  const routes = new Map<string, Route>();
  for (const { to, edge } of edges) {
    const ends = [byKey.get(edge.Step)!, byKey.get(to)!];
    if (ends.some(isPlaced)) continue;
    const { points, x, y } = graph.edge(edge.Step, to, edge.When) as unknown as {
      points: StepPosition[];
    } & Partial<StepPosition>;
    const from = positions.get(edge.Step)!;
    const target = positions.get(to)!;
    const begin = { x: from.x + NODE_WIDTH / 2, y: from.y + NODE_HEIGHT };
    const end = { x: target.x + NODE_WIDTH / 2, y: target.y };
    // Move the first and the last point to the middle of the steps' sides.
    const route = [begin, ...points.slice(1, -1), end];
    // The layout places only labels with a text.
    routes.set(edgeId(to, edge), {
      points: route,
      label: x === undefined || y === undefined ? middleOf(route) : { x, y },
    });
  }
  return { positions, routes };
}

function middleOf(points: readonly StepPosition[]): StepPosition {
  const [before, after] = [points[Math.ceil(points.length / 2) - 1]!, points[Math.floor(points.length / 2)]!];
  return { x: (before.x + after.x) / 2, y: (before.y + after.y) / 2 };
}

/** Returns an SVG path through the points. It leaves and reaches each point vertically. */
export function pathOf(points: readonly StepPosition[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  let before = first;
  let path = `M ${first.x},${first.y}`;
  for (const point of rest) {
    const middle = (before.y + point.y) / 2;
    path += ` C ${before.x},${middle} ${point.x},${middle} ${point.x},${point.y}`;
    before = point;
  }
  return path;
}
