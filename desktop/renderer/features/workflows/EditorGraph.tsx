import { Button } from '@blueprintjs/core';
import { Add, Error as ErrorIcon } from '@blueprintjs/icons';
import { useDeferredValue, useMemo, useRef, useLayoutEffect } from 'react';
import type { WorkflowProblem, WorkflowStepData } from '#shared/contract/workflows.ts';
import { said, t } from '#renderer/language/translate.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import { connectionIssue } from './connection-issue.ts';
import type { GraphEdit } from './graph-edit.ts';
import type { StepActions } from './use-step-actions.tsx';
import type { WorkflowDraft } from './use-workflow-draft.ts';
import { connect, disconnect, KIND_TEXT, placeStep } from './workflow-draft.ts';
import type { DrawnStep } from './drawn-step.ts';

const WorkflowGraphView = lazyPart(
  async () => (await import('./WorkflowGraphView.tsx')).WorkflowGraphView,
  <Skeleton kind="grid" />,
);

interface EditorGraphProps {
  draft: WorkflowDraft;
  problems: readonly WorkflowProblem[];
  isReadOnly: boolean;
  actions: StepActions;
}

/** The steps of a workflow as a graph. Dragging from one step to another connects them. */
export function EditorGraph({ draft, problems, isReadOnly, actions }: EditorGraphProps) {
  const { selected, select } = draft;
  const steps = useDrawnSteps(draft, problems);
  const edit = useGraphEdit(draft, actions);
  const { open } = actions;
  // Memoized, so that typing in the fields does not render the graph.
  const view = useMemo(
    () => (
      <WorkflowGraphView
        fillsPage
        steps={steps}
        selected={selected}
        onSelect={select}
        onOpen={open}
        {...(isReadOnly ? {} : { edit })}
      />
    ),
    [steps, selected, select, open, isReadOnly, edit],
  );
  const isEmpty = draft.graph.Steps.length === 0;
  return (
    <div className="rs-workflow-graph" role="region" aria-label={t('Diagram')}>
      {isEmpty ? <NoSteps onAdd={isReadOnly ? null : () => actions.add({ after: null })} /> : view}
    </div>
  );
}

function NoSteps({ onAdd }: { onAdd: (() => void) | null }) {
  return (
    <div className="rs-workflow-none">
      <p className="rs-muted">{t('No steps yet.')}</p>
      {onAdd && <Button intent="primary" icon={<Add />} text={t('Add the first step')} onClick={onAdd} />}
    </div>
  );
}

function useDrawnSteps(draft: WorkflowDraft, problems: readonly WorkflowProblem[]): DrawnStep[] {
  const { activities } = draft;
  // Deferred, so that typing does not wait for the graph.
  const graph = useDeferredValue(draft.graph);
  return useMemo(() => {
    const byStep = Map.groupBy(problems, ({ Step }) => Step);
    return graph.Steps.map((step): DrawnStep => {
      const activity = 'ActivityId' in step ? (activities.get(step.ActivityId)?.Name ?? '') : '';
      const wrong = byStep.get(step.Key)?.map(({ Message }) => said(Message)) ?? [];
      const note = noteOf(step, activity);
      const { Key, Name, After, X, Y } = step;
      return {
        Key,
        Name: Name.trim() === '' ? t('(no name)') : Name,
        After,
        ...(X === undefined || Y === undefined ? {} : { X, Y }),
        note: wrong.length > 0 ? <Problems messages={wrong} /> : note,
        tone: wrong.length > 0 ? 'danger' : 'none',
        label: [note, ...wrong].filter(Boolean).join(', '),
      };
    });
  }, [graph, activities, problems]);
}

function Problems({ messages }: { messages: readonly string[] }) {
  return (
    <span className="rs-graph-fault" title={messages.join('\n')}>
      <ErrorIcon size={12} title={t('Error')} /> {messages[0]}
    </span>
  );
}

/** The object stays the same while the graph is shown, so that typing does not render the graph. */
function useGraphEdit({ change, graph }: WorkflowDraft, { add, remove }: StepActions): GraphEdit {
  const latest = useRef(graph);
  useLayoutEffect(() => {
    latest.current = graph;
  });
  return useMemo(
    () => ({
      add,
      remove,
      connect: (from, to) => change((before) => connect(before, from, to)),
      issueOf: (from, to) => connectionIssue(latest.current, from, to),
      disconnect: (to, edge) => change((before) => disconnect(before, to, edge)),
      placeStep: (key, x, y, isDragged) =>
        change((before) => placeStep(before, key, x, y), isDragged ? undefined : `position of ${key}`),
    }),
    [change, add, remove],
  );
}

const noteOf = (step: WorkflowStepData, activity: string): string => {
  if (step.Kind === 'Activity') return activity === step.Name ? '' : activity;
  return [KIND_TEXT[step.Kind], activity].filter(Boolean).join(': ');
};
