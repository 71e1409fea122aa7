import { Handle, Position, type Node, type NodeProps } from '@xyflow/react';
import { Plus } from '@blueprintjs/icons';
import { use } from 'react';
import { t } from '#renderer/language/translate.ts';
import type { DrawnStep } from './drawn-step.ts';
import { GraphEditContext } from './graph-edit.ts';

export type StepNode = Node<{ step: DrawnStep }, 'step'>;

/** A step in the graph. Its lower point starts a connection; the button below it adds a step. */
export function StepBox({ data: { step }, selected }: NodeProps<StepNode>) {
  const edit = use(GraphEditContext);
  return (
    <>
      <div className={`rs-graph-step rs-graph-${step.tone}${selected ? ' is-selected' : ''}`}>
        <Handle type="target" position={Position.Top} isConnectable={edit !== null} />
        <strong title={step.Name}>{step.Name}</strong>
        <span className="rs-graph-note">{step.note}</span>
        <Handle type="source" position={Position.Bottom} isConnectable={edit !== null} />
      </div>
      {edit && (
        <button
          type="button"
          // With the keyboard, Insert does the same.
          tabIndex={-1}
          className="rs-graph-add rs-graph-add-after nodrag nopan"
          aria-label={t('Add a step after {name}', { name: step.Name })}
          onClick={(event) => {
            event.stopPropagation();
            edit.add({ after: step.Key });
          }}
        >
          <Plus size={12} title={false} />
        </button>
      )}
    </>
  );
}
