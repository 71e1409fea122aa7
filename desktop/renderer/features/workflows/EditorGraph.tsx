import { useDeferredValue, useMemo } from 'react';
import type { WorkflowProblem, WorkflowStepData } from '#shared/contract/workflows.ts';
import { t } from '#renderer/language/translate.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';
import { Skeleton } from '#renderer/ui/states.tsx';
import type { WorkflowDraft } from './use-workflow-draft.ts';
import { connect, disconnect, KIND_TEXT, placeStep, removeStep } from './workflow-draft.ts';
import type { DrawnStep } from './WorkflowGraphView.tsx';

const WorkflowGraphView = lazyPart(
  async () => (await import('./WorkflowGraphView.tsx')).WorkflowGraphView,
  <Skeleton kind="grid" />,
);

interface EditorGraphProps {
  draft: WorkflowDraft;
  problems: readonly WorkflowProblem[];
  isReadOnly: boolean;
  /** Moves to the fields of the selected step. */
  onOpen: () => void;
}

/** The steps of a workflow as a graph. Dragging from one step to another connects them. */
export function EditorGraph({ draft, problems, isReadOnly, onOpen }: EditorGraphProps) {
  const { selected, select, change, activities } = draft;
  // Deferred, so that typing does not wait for the graph.
  const graph = useDeferredValue(draft.graph);
  const steps = useMemo(() => {
    const byStep = Map.groupBy(problems, ({ Step }) => Step);
    return graph.Steps.map((step): DrawnStep => {
      const activity = 'ActivityId' in step ? (activities.get(step.ActivityId)?.Name ?? '') : '';
      const wrong = byStep.get(step.Key)?.map(({ Message }) => Message) ?? [];
      const note = noteOf(step, activity);
      const { Key, Name, After, X, Y } = step;
      return {
        Key,
        Name: Name.trim() === '' ? t('(no name)') : Name,
        After,
        ...(X === undefined || Y === undefined ? {} : { X, Y }),
        note: wrong.length > 0 ? <span className="rs-graph-fault">{wrong[0]}</span> : note,
        tone: wrong.length > 0 ? 'danger' : 'none',
        label: [note, ...wrong].filter(Boolean).join(', '),
      };
    });
  }, [graph, activities, problems]);
  const edit = useMemo(
    () => ({
      connect: (from: string, to: string) => change((before) => connect(before, from, to)),
      disconnect: (to: string, edge: WorkflowStepData['After'][number]) =>
        change((before) => disconnect(before, to, edge)),
      remove: (key: string) => change((before) => removeStep(before, key)),
      placeStep: (key: string, x: number, y: number, isDragged: boolean) =>
        change((before) => placeStep(before, key, x, y), isDragged ? undefined : `position of ${key}`),
    }),
    [change],
  );
  // Memoized, so that typing in the fields does not render the graph.
  const view = useMemo(
    () => (
      <WorkflowGraphView
        steps={steps}
        selected={selected}
        onSelect={select}
        onOpen={onOpen}
        {...(isReadOnly ? {} : { edit })}
      />
    ),
    [steps, selected, select, onOpen, isReadOnly, edit],
  );
  return (
    <div className="rs-workflow-graph" role="region" aria-label={t('Diagram')}>
      {view}
    </div>
  );
}

const noteOf = (step: WorkflowStepData, activity: string): string => {
  if (step.Kind === 'Activity') return activity === step.Name ? '' : activity;
  return [KIND_TEXT[step.Kind], activity].filter(Boolean).join(': ');
};
