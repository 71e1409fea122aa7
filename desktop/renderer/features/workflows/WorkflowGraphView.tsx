/** The graph of a workflow. Loaded only on pages that show one. */
import { Background, Controls, MiniMap, Panel, ReactFlow } from '@xyflow/react';
import { useIsDark } from '#renderer/app/theme.ts';
import { t } from '#renderer/language/translate.ts';
import { connecting } from './connecting.ts';
import type { DrawnStep } from './drawn-step.ts';
import { FindStep } from './FindStep.tsx';
import { GraphEditContext, type GraphEdit } from './graph-edit.ts';
import { graphKeys } from './graph-keys.ts';
import { RoutedEdge, type StepEdge } from './RoutedEdge.tsx';
import { StepBox, type StepNode } from './StepBox.tsx';
import { useDrawnGraph } from './use-drawn-graph.ts';
import { useInView } from './use-in-view.ts';
import '@xyflow/react/dist/style.css';
import './workflow-graph.css';

const SAID_OF_PARTS = {
  'node.a11yDescription.default': t(
    'Arrow keys go to other steps, Enter opens the step, Insert adds a step after it, Alt with the arrow keys moves it, Delete removes it.',
  ),
  'node.a11yDescription.keyboardDisabled': t('Arrow keys go to other steps, Enter opens the step.'),
  'edge.a11yDescription.default': t('Enter adds a step here, Delete removes the connection.'),
  'controls.ariaLabel': t('Zoom of the diagram'),
  'controls.zoomIn.ariaLabel': t('Zoom in'),
  'controls.zoomOut.ariaLabel': t('Zoom out'),
  'controls.fitView.ariaLabel': t('Show all steps'),
};

export interface WorkflowGraphViewProps {
  steps: readonly DrawnStep[];
  selected: string | null;
  onSelect: (key: string | null) => void;
  /** Called on a double click, or on Enter. */
  onOpen?: (key: string) => void;
  /** Absent if the graph is read-only. */
  edit?: GraphEdit;
  /** True if the graph is as high as the page: the wheel then moves it, and steps stay readable. */
  fillsPage?: boolean;
}

const NODE_TYPES = { step: StepBox };
const EDGE_TYPES = { routed: RoutedEdge };
/** From this many steps on, the graph has a minimap and a search field. */
const MANY = 20;
/** Distance in pixels at which a dragged edge snaps to a point of a step. */
const SNAP_DISTANCE = 30;

export function WorkflowGraphView(props: WorkflowGraphViewProps) {
  const { steps, selected, onSelect, onOpen, edit, fillsPage = false } = props;
  const isDark = useIsDark();
  const { layout, nodes, edges, onNodesChange } = useDrawnGraph({ steps, selected, onSelect, edit });
  const { frame, flow, setFlow, fit } = useInView<StepNode, StepEdge>(layout.positions, selected, fillsPage);
  const onKeyDown = graphKeys({ steps, edges, layout, flow, onSelect, onOpen, edit, fit });
  const hasMany = steps.length > MANY;
  const isEditable = edit !== undefined;
  return (
    <GraphEditContext value={edit ?? null}>
      <div ref={frame} className="rs-graph" onKeyDownCapture={onKeyDown}>
        <ReactFlow<StepNode, StepEdge>
          {...connecting(edit)}
          onInit={setFlow}
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          ariaLabelConfig={isEditable ? SAID_OF_PARTS : READ_ONLY_SAID}
          colorMode={isDark ? 'dark' : 'light'}
          onlyRenderVisibleElements={hasMany}
          minZoom={0.02}
          maxZoom={1.5}
          nodesDraggable={isEditable}
          nodesConnectable={isEditable}
          edgesFocusable={isEditable}
          connectOnClick={false}
          connectionRadius={SNAP_DISTANCE}
          multiSelectionKeyCode={null}
          selectionKeyCode={null}
          deleteKeyCode={null}
          preventScrolling={fillsPage}
          panOnScroll={fillsPage}
          zoomOnScroll={false}
          zoomOnDoubleClick={false}
          onNodesChange={onNodesChange}
          onNodeClick={({ nativeEvent }, { id }) => {
            // A second tap opens a step, because double taps are hard to do.
            const isTouch = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch';
            if (isTouch && id === selected) onOpen?.(id);
          }}
          onNodeDoubleClick={(_event, { id }) => onOpen?.(id)}
          onPaneClick={() => onSelect(null)}
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
    </GraphEditContext>
  );
}

const READ_ONLY_SAID = {
  ...SAID_OF_PARTS,
  'node.a11yDescription.default': SAID_OF_PARTS['node.a11yDescription.keyboardDisabled'],
};

const minimapClass = ({ data: { step } }: StepNode): string => `rs-graph-mini-${step.tone}`;
