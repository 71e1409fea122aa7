/** The graph of a workflow. Loaded only on pages that show one. */
import {
  Background,
  Controls,
  Handle,
  MarkerType,
  MiniMap,
  Panel,
  Position,
  ReactFlow,
  useNodesState,
  type Connection,
  type Node,
  type NodeProps,
} from '@xyflow/react';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import type { WorkflowEdge } from '#shared/rules/workflows/types.ts';
import { useIsDark } from '#renderer/app/theme.ts';
import { t } from '#renderer/language/translate.ts';
import { FindStep } from './FindStep.tsx';
import { edgeId, layoutOf, NODE_HEIGHT, NODE_WIDTH, type Layout, type PlacedStep } from './graph-layout.ts';
import { useInView } from './use-in-view.ts';
import { RoutedEdge, type StepEdge } from './RoutedEdge.tsx';
import { WHEN_TEXT } from './step-texts.ts';
import '@xyflow/react/dist/style.css';
import './workflow-graph.css';

const SAID_OF_PARTS = {
  'node.a11yDescription.default': t('Press Enter or Space to select a step.'),
  'node.a11yDescription.keyboardDisabled': t(
    'Press Enter or Space to select a step. Then use the arrow keys to move it.',
  ),
  'edge.a11yDescription.default': t('Press Enter or Space to select a connection.'),
  'controls.ariaLabel': t('Zoom of the diagram'),
  'controls.zoomIn.ariaLabel': t('Zoom in'),
  'controls.zoomOut.ariaLabel': t('Zoom out'),
  'controls.fitView.ariaLabel': t('Show all steps'),
};

export interface DrawnStep extends PlacedStep {
  Name: string;
  /** Shown below the name. */
  note: ReactNode;
  /** Color of the step. */
  tone: 'none' | 'success' | 'warning' | 'danger' | 'running' | 'muted';
  /** Text for screen readers, after the name. */
  label: string;
}

export interface WorkflowGraphViewProps {
  steps: readonly DrawnStep[];
  selected: string | null;
  onSelect: (key: string | null) => void;
  /** Called on a double click, or on Enter on the selected step. */
  onOpen?: (key: string) => void;
  /** Absent if the graph is read-only. */
  edit?: {
    connect: (from: string, to: string) => void;
    disconnect: (to: string, edge: WorkflowEdge) => void;
    remove: (key: string) => void;
    /**
     * @param isDragged true if the step was dragged by mouse, in one movement. Arrow keys move it a little each time.
     */
    placeStep: (key: string, x: number, y: number, isDragged: boolean) => void;
  };
}

type StepNode = Node<{ step: DrawnStep; isEditable: boolean }, 'step'>;

const NODE_TYPES = { step: StepBox };
const EDGE_TYPES = { routed: RoutedEdge };
/** From this many steps on, the graph has a minimap and a search field. */
const MANY = 20;

function StepBox({ data: { step, isEditable }, selected }: NodeProps<StepNode>) {
  return (
    <div className={`rs-graph-step rs-graph-${step.tone}${selected ? ' is-selected' : ''}`}>
      <Handle type="target" position={Position.Top} isConnectable={isEditable} />
      <strong title={step.Name}>{step.Name}</strong>
      <span className="rs-graph-note">{step.note}</span>
      <Handle type="source" position={Position.Bottom} isConnectable={isEditable} />
    </div>
  );
}

export function WorkflowGraphView({ steps, selected, onSelect, onOpen, edit }: WorkflowGraphViewProps) {
  const isDark = useIsDark();
  // Lay out again only if positions or edges change: names and states change often, but move nothing.
  const placed = JSON.stringify(steps.map(({ Key, After, X, Y }) => ({ Key, After, X, Y })));
  const laidOut = useMemo(() => layoutOf(JSON.parse(placed) as PlacedStep[], edgeText), [placed]);
  const isEditable = edit !== undefined;
  const drawn = useMemo(() => nodesOf(steps, laidOut, selected, isEditable), [steps, laidOut, selected, isEditable]);
  const edges = useMemo(() => edgesOf(steps, laidOut), [steps, laidOut]);
  const [nodes, setNodes, onNodesChange] = useNodesState(drawn);
  useEffect(() => setNodes(drawn), [drawn, setNodes]);
  const { frame, setFlow, fit } = useInView<StepNode, StepEdge>(laidOut.positions, selected);
  const hasMany = steps.length > MANY;
  const isDragged = useRef(false);
  return (
    <div ref={frame} className="rs-graph">
      <ReactFlow<StepNode, StepEdge>
        onInit={setFlow}
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        ariaLabelConfig={SAID_OF_PARTS}
        colorMode={isDark ? 'dark' : 'light'}
        onlyRenderVisibleElements={hasMany}
        minZoom={0.02}
        maxZoom={1.5}
        nodesDraggable={edit !== undefined}
        nodesConnectable={edit !== undefined}
        edgesFocusable={edit !== undefined}
        multiSelectionKeyCode={null}
        selectionKeyCode={null}
        deleteKeyCode={null}
        preventScrolling={false}
        zoomOnScroll={false}
        zoomOnDoubleClick={false}
        onNodesChange={(changes) => {
          // The list and the graph share the selection and the positions, so ignore the graph's own changes.
          onNodesChange(changes.filter(({ type }) => type !== 'select' && type !== 'remove'));
          for (const change of changes) {
            if (change.type === 'select' && change.selected) onSelect(change.id);
            if (change.type !== 'position') continue;
            if (change.dragging === false && change.position) {
              const { x, y } = change.position;
              const before = drawn.find(({ id }) => id === change.id)?.position;
              if (before?.x !== x || before.y !== y) edit?.placeStep(change.id, x, y, isDragged.current);
            }
            isDragged.current = change.dragging === true;
          }
        }}
        onNodeDoubleClick={(_event, { id }) => onOpen?.(id)}
        onKeyDown={(event) => {
          const focused = event.target instanceof Element ? event.target.closest('.react-flow__node') : null;
          // The first Enter selects the step.
          if (event.key === 'Enter' && selected !== null && focused?.getAttribute('data-id') === selected)
            onOpen?.(selected);
          if (event.key !== 'Delete' || !(event.target instanceof Element) || !edit) return;
          const key = event.target.closest('.react-flow__node')?.getAttribute('data-id');
          if (key) edit.remove(key);
          const cut = event.target.closest('.react-flow__edge')?.getAttribute('data-id');
          const data = edges.find(({ id }) => id === cut)?.data;
          if (data) edit.disconnect(data.to, data.edge);
        }}
        onPaneClick={() => onSelect(null)}
        onConnect={({ source, target }: Connection) => edit?.connect(source, target)}
        isValidConnection={({ source, target }) => source !== target}
      >
        <Background />
        <Controls showInteractive={false} onFitView={fit} />
        {hasMany && <MiniMap pannable zoomable ariaLabel={t('All steps')} nodeClassName={minimapClass} />}
        {hasMany && (
          <Panel position="top-right">
            <FindStep steps={steps} selected={selected} onSelect={onSelect} onOpen={onOpen} />
          </Panel>
        )}
      </ReactFlow>
    </div>
  );
}

const minimapClass = ({ data: { step } }: StepNode): string => `rs-graph-mini-${step.tone}`;

const edgeText = ({ When }: WorkflowEdge): string => (When === 'success' ? '' : WHEN_TEXT[When]);

function nodesOf(
  steps: readonly DrawnStep[],
  { positions }: Layout,
  selected: string | null,
  isEditable: boolean,
): StepNode[] {
  return steps.map((step) => ({
    id: step.Key,
    type: 'step',
    position: positions.get(step.Key)!,
    width: NODE_WIDTH,
    height: NODE_HEIGHT,
    selected: step.Key === selected,
    ariaLabel: `${step.Name}, ${step.label}`,
    data: { step, isEditable },
  }));
}

function edgesOf(steps: readonly DrawnStep[], { routes }: Layout): StepEdge[] {
  const names = new Map(steps.map(({ Key, Name }) => [Key, Name]));
  return steps.flatMap(({ Key, Name, After }) =>
    After.filter(({ Step }) => names.has(Step)).map((edge) => ({
      id: edgeId(Key, edge),
      source: edge.Step,
      target: Key,
      type: 'routed',
      label: edgeText(edge) || undefined,
      className: `rs-graph-edge-${edge.When}`,
      ariaLabel: t('{name} after {step}: {text}', {
        name: Name,
        step: names.get(edge.Step),
        text: WHEN_TEXT[edge.When],
      }),
      markerEnd: { type: MarkerType.ArrowClosed },
      data: { to: Key, edge, route: routes.get(edgeId(Key, edge)) },
    })),
  );
}
