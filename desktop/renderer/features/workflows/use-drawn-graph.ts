import { MarkerType, useNodesState, type NodeChange } from '@xyflow/react';
import { useEffect, useMemo, useRef } from 'react';
import type { WorkflowEdge } from '#shared/rules/workflows/types.ts';
import { t } from '#renderer/language/translate.ts';
import type { GraphEdit } from './graph-edit.ts';
import { edgeId, layoutOf, NODE_HEIGHT, NODE_WIDTH, type Layout, type PlacedStep } from './graph-layout.ts';
import type { StepEdge } from './RoutedEdge.tsx';
import type { StepNode } from './StepBox.tsx';
import { WHEN_TEXT } from './step-texts.ts';
import type { DrawnStep } from './drawn-step.ts';

interface DrawnGraphDeps {
  steps: readonly DrawnStep[];
  selected: string | null;
  onSelect: (key: string) => void;
  edit: GraphEdit | undefined;
}

/** Returns the steps and edges of a graph as React Flow draws them. */
export function useDrawnGraph({ steps, selected, onSelect, edit }: DrawnGraphDeps) {
  // Lay out again only if positions or edges change: names and states change often, but move nothing.
  const placed = JSON.stringify(steps.map(({ Key, After, X, Y }) => ({ Key, After, X, Y })));
  const layout = useMemo(() => layoutOf(JSON.parse(placed) as PlacedStep[], edgeText), [placed]);
  const drawn = useMemo(() => nodesOf(steps, layout, selected), [steps, layout, selected]);
  const edges = useMemo(() => edgesOf(steps, layout, selected), [steps, layout, selected]);
  const [nodes, setNodes, applyChanges] = useNodesState(drawn);
  useEffect(() => setNodes(drawn), [drawn, setNodes]);
  const isDragged = useRef(false);
  const onNodesChange = (changes: NodeChange<StepNode>[]): void => {
    // The list and the graph share the selection and the positions, so ignore the graph's own changes.
    applyChanges(changes.filter(({ type }) => type !== 'select' && type !== 'remove'));
    for (const change of changes) {
      if (change.type === 'select' && change.selected) onSelect(change.id);
      if (change.type !== 'position') continue;
      if (change.dragging === false && change.position) {
        const { x, y } = change.position;
        const before = layout.positions.get(change.id);
        if (before?.x !== x || before.y !== y) edit?.placeStep(change.id, x, y, isDragged.current);
      }
      isDragged.current = change.dragging === true;
    }
  };
  return { layout, nodes, edges, onNodesChange };
}

const edgeText = ({ When }: WorkflowEdge): string => (When === 'success' ? '' : WHEN_TEXT[When]);

function nodesOf(steps: readonly DrawnStep[], { positions }: Layout, selected: string | null): StepNode[] {
  // Tab reaches one of the steps; arrow keys lead to the others.
  const reached = selected ?? steps[0]?.Key;
  return steps.map((step) => ({
    id: step.Key,
    type: 'step',
    position: positions.get(step.Key)!,
    width: NODE_WIDTH,
    height: NODE_HEIGHT,
    selected: step.Key === selected,
    ariaLabel: `${step.Name}, ${step.label}`,
    domAttributes: { tabIndex: step.Key === reached ? 0 : -1 },
    data: { step },
  }));
}

function edgesOf(steps: readonly DrawnStep[], { routes }: Layout, selected: string | null): StepEdge[] {
  const names = new Map(steps.map(({ Key, Name }) => [Key, Name]));
  return steps.flatMap(({ Key, Name, After }) =>
    After.filter(({ Step }) => names.has(Step)).map((edge): StepEdge => {
      const from = names.get(edge.Step) ?? '';
      return {
        id: edgeId(Key, edge),
        source: edge.Step,
        target: Key,
        type: 'routed',
        label: edgeText(edge) || undefined,
        className: `rs-graph-edge-${edge.When}`,
        ariaLabel: t('{name} after {step}: {text}', { name: Name, step: from, text: WHEN_TEXT[edge.When] }),
        // Tab leads from the selected step to its own edges.
        domAttributes: { tabIndex: edge.Step === selected || Key === selected ? 0 : -1 },
        markerEnd: { type: MarkerType.ArrowClosed },
        data: { to: Key, edge, route: routes.get(edgeId(Key, edge)), names: { from, to: Name } },
      };
    }),
  );
}
