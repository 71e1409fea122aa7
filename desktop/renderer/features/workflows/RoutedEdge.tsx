import { BaseEdge, EdgeLabelRenderer, getSmoothStepPath, type Edge, type EdgeProps } from '@xyflow/react';
import { Plus } from '@blueprintjs/icons';
import { use } from 'react';
import type { WorkflowEdge } from '#shared/rules/workflows/types.ts';
import { t } from '#renderer/language/translate.ts';
import { GraphEditContext } from './graph-edit.ts';
import { pathOf, type StepPosition, type Route } from './graph-layout.ts';

export type StepEdge = Edge<
  { to: string; edge: WorkflowEdge; route: Route | undefined; names: { from: string; to: string } },
  'routed'
>;

const isAt = (position: StepPosition | undefined, x: number, y: number): boolean =>
  position !== undefined && Math.hypot(position.x - x, position.y - y) < NEAR;
/** Tolerance in pixels, because the connection points protrude slightly. */
const NEAR = 8;
/** Distance in pixels between an edge's label and the button that adds a step. */
const BESIDE_LABEL = 14;
/** Width in pixels of a character of the label. */
const LABEL_CHARACTER = 6;

/**
 * Draws an edge along its route from the layout. If one of its steps was moved or is being dragged, it draws a direct
 * line instead.
 */
export function RoutedEdge(props: EdgeProps<StepEdge>) {
  const { id, sourceX, sourceY, targetX, targetY, data, label, markerEnd, interactionWidth } = props;
  const edit = use(GraphEditContext);
  const route = data?.route;
  const isFit =
    route !== undefined && isAt(route.points[0], sourceX, sourceY) && isAt(route.points.at(-1), targetX, targetY);
  const [straight, middleX, middleY] = getSmoothStepPath(props);
  const [x, y] = isFit ? [route.label.x, route.label.y] : [middleX, middleY];
  const text = typeof label === 'string' ? label : '';
  return (
    <>
      <BaseEdge
        id={id}
        path={isFit ? pathOf(route.points) : straight}
        label={label}
        labelX={x}
        labelY={y}
        labelBgPadding={[4, 2]}
        {...(markerEnd === undefined ? {} : { markerEnd })}
        {...(interactionWidth === undefined ? {} : { interactionWidth })}
      />
      {edit && data && (
        <EdgeLabelRenderer>
          <button
            type="button"
            // With the keyboard, Enter on the edge does the same.
            tabIndex={-1}
            className="rs-graph-add nodrag nopan"
            style={{ left: text === '' ? x : x + (text.length * LABEL_CHARACTER) / 2 + BESIDE_LABEL, top: y }}
            aria-label={t('Add a step between {from} and {to}', data.names)}
            onClick={() => edit.add({ edge: data.edge, to: data.to })}
          >
            <Plus size={12} title={false} />
          </button>
        </EdgeLabelRenderer>
      )}
    </>
  );
}
