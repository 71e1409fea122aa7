import type { ReactFlowInstance } from '@xyflow/react';
import type { KeyboardEvent } from 'react';
import { focusStep } from './focus-step.ts';
import type { GraphEdit } from './graph-edit.ts';
import type { Layout } from './graph-layout.ts';
import { isDirection, neighbourOf, VECTORS, type Direction } from './graph-neighbour.ts';
import type { StepEdge } from './RoutedEdge.tsx';
import type { StepNode } from './StepBox.tsx';
import type { DrawnStep } from './drawn-step.ts';

/** Distance in pixels by which Alt with an arrow key moves a step. */
const MOVED_BY = 10;

interface GraphKeysDeps {
  steps: readonly DrawnStep[];
  edges: readonly StepEdge[];
  layout: Layout;
  flow: ReactFlowInstance<StepNode, StepEdge> | null;
  onSelect: (key: string) => void;
  onOpen: ((key: string) => void) | undefined;
  edit: GraphEdit | undefined;
  fit: () => void;
}

/**
 * Returns the handler of the graph's keys. It must capture the events, because React Flow moves a step with the arrow
 * keys.
 */
export function graphKeys(deps: GraphKeysDeps): (event: KeyboardEvent) => void {
  return (event) => {
    if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey) return;
    const id = event.target.getAttribute('data-id');
    if (id === null) return;
    const isStep = event.target.classList.contains('react-flow__node');
    const isHandled = isStep ? onStepKey(deps, id, event) : onEdgeKey(deps, id, event.key);
    if (!isHandled && !zoom(deps, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
}

/** Returns true if the key means something for a step. */
function onStepKey(deps: GraphKeysDeps, step: string, { key, altKey }: KeyboardEvent): boolean {
  const { steps, onSelect, onOpen, edit } = deps;
  if (isDirection(key)) return altKey ? moveBy(deps, step, key) : goTo(deps, nextOf(deps, step, key));
  if (key === 'Home') return goTo(deps, steps[0]?.Key);
  if (key === 'End') return goTo(deps, steps.at(-1)?.Key);
  if (key === 'Enter' || key === ' ') {
    onSelect(step);
    if (key === 'Enter') onOpen?.(step);
    return true;
  }
  if (!edit) return false;
  if (key === 'Insert') edit.add({ after: step });
  else if (key === 'Delete') edit.remove(step);
  else return false;
  return true;
}

const nextOf = ({ steps, layout }: GraphKeysDeps, step: string, direction: Direction): string | null =>
  neighbourOf(steps, layout.positions, step, direction);

/** Also returns true if there is no step: the key must not scroll the page instead. */
function goTo({ onSelect }: GraphKeysDeps, step: string | null | undefined): boolean {
  if (step === null || step === undefined) return true;
  onSelect(step);
  focusStep(step);
  return true;
}

function moveBy({ layout, edit }: GraphKeysDeps, step: string, direction: Direction): boolean {
  const position = layout.positions.get(step);
  if (!edit || !position) return false;
  const { x, y } = VECTORS[direction];
  edit.placeStep(step, position.x + x * MOVED_BY, position.y + y * MOVED_BY, false);
  return true;
}

function onEdgeKey(deps: GraphKeysDeps, id: string, key: string): boolean {
  const { edges, edit } = deps;
  const data = edges.find((edge) => edge.id === id)?.data;
  if (!edit || !data) return false;
  if (key === 'Enter' || key === 'Insert') edit.add({ edge: data.edge, to: data.to });
  else if (key === 'Delete') {
    edit.disconnect(data.to, data.edge);
    // The focus would be lost with the connection.
    goTo(deps, data.to);
  } else return false;
  return true;
}

function zoom({ flow, fit }: GraphKeysDeps, key: string): boolean {
  if (key === '+' || key === '=') void flow?.zoomIn();
  else if (key === '-') void flow?.zoomOut();
  else if (key === '0') fit();
  else return false;
  return true;
}
