import { BaseEdge, getSmoothStepPath, type Edge, type EdgeProps } from '@xyflow/react';
import type { WorkflowEdge } from '#shared/rules/workflows/types.ts';
import { pathOf, type StepPosition, type Route } from './graph-layout.ts';

export type StepEdge = Edge<{ to: string; edge: WorkflowEdge; route: Route | undefined }, 'routed'>;

const isAt = (position: StepPosition | undefined, x: number, y: number): boolean =>
  position !== undefined && Math.hypot(position.x - x, position.y - y) < NEAR;
/** Tolerance in pixels, because the connection points protrude slightly. */
const NEAR = 8;

/**
 * Draws an edge along its route from the layout. If one of its steps was moved or is being dragged, it draws a direct
 * line instead.
 */
export function RoutedEdge(props: EdgeProps<StepEdge>) {
  const { id, sourceX, sourceY, targetX, targetY, data, label, markerEnd, interactionWidth } = props;
  const route = data?.route;
  const isFit =
    route !== undefined && isAt(route.points[0], sourceX, sourceY) && isAt(route.points.at(-1), targetX, targetY);
  const [straight, x, y] = getSmoothStepPath(props);
  return (
    <BaseEdge
      id={id}
      path={isFit ? pathOf(route.points) : straight}
      label={label}
      labelX={isFit ? route.label.x : x}
      labelY={isFit ? route.label.y : y}
      labelBgPadding={[4, 2]}
      {...(markerEnd === undefined ? {} : { markerEnd })}
      {...(interactionWidth === undefined ? {} : { interactionWidth })}
    />
  );
}
