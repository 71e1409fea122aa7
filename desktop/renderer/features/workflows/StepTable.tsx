import { useEffect, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { WorkflowProblem, WorkflowStepData } from '#shared/contract/workflows.ts';
import { stepsByKey } from '#shared/rules/workflows/graph-order.ts';
import { t } from '#renderer/language/translate.ts';
import { activityOf } from './offered-sources.ts';
import { StepRow, stepButtonId, type RowActions } from './StepRow.tsx';
import type { StepActions } from './use-step-actions.tsx';
import type { WorkflowDraft } from './use-workflow-draft.ts';
import { duplicateStep } from './add-step.ts';
import { moveStep } from './workflow-draft.ts';

interface StepTableProps {
  draft: WorkflowDraft;
  problems: readonly WorkflowProblem[];
  isReadOnly: boolean;
  actions: StepActions;
}

const NONE: readonly WorkflowProblem[] = [];

/** The steps of a workflow as a list. It shows the same as the graph, for keyboard and screen reader users. */
export function StepTable({ draft, problems, isReadOnly, actions: stepActions }: StepTableProps) {
  const { graph, selected, activities } = draft;
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const line = selected === null ? null : document.getElementById(stepButtonId(selected))?.closest('tr');
    if (line && scroller.current) scrollWithin(scroller.current, line);
  }, [selected]);
  const byStep = useMemo(() => Map.groupBy(problems, ({ Step }) => Step), [problems]);
  const actions = useRowActions({ draft, isReadOnly, stepActions });
  const steps = stepsByKey(graph);
  const nameOf = (key: string): string => steps.get(key)?.Name ?? t('Missing step');
  const namesBefore = ({ After }: WorkflowStepData): string => After.map(({ Step }) => nameOf(Step)).join('\n');
  // Tab reaches one of the rows; arrow keys move to the others.
  const reached = selected ?? graph.Steps[0]?.Key;
  return (
    <div ref={scroller} className="rs-workflow-list" role="region" aria-label={t('Steps')} tabIndex={-1}>
      <table className="rs-workflow-steps">
        <thead>
          <tr>
            <th scope="col">{t('Step')}</th>
            <th scope="col">{t('Activity')}</th>
            <th scope="col">{t('After')}</th>
            <th scope="col">{t('When')}</th>
            <th scope="col">{t('Inputs')}</th>
            {!isReadOnly && (
              <th scope="col">
                <span className="rs-visually-hidden">{t('Change')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {graph.Steps.map((step, at) => (
            <StepRow
              key={step.Key}
              step={step}
              before={namesBefore(step)}
              activity={activityOf(step, activities)}
              problems={byStep.get(step.Key) ?? NONE}
              isSelected={step.Key === selected}
              isReached={step.Key === reached}
              isFirst={at === 0}
              isLast={at === graph.Steps.length - 1}
              isReadOnly={isReadOnly}
              actions={actions}
            />
          ))}
        </tbody>
      </table>
      {graph.Steps.length === 0 && <p className="rs-muted rs-workflow-empty">{t('No steps yet.')}</p>}
    </div>
  );
}

/** Scrolls a row into view below the header, without scrolling the page around the list. */
function scrollWithin(list: HTMLElement, line: HTMLElement): void {
  const header = list.querySelector('thead')?.offsetHeight ?? 0;
  const [top, bottom] = [line.offsetTop - header, line.offsetTop + line.offsetHeight];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

interface RowDeps {
  draft: WorkflowDraft;
  isReadOnly: boolean;
  stepActions: StepActions;
}

/**
 * Returns the actions of the rows. The object stays the same while the list is mounted, so that only changed rows
 * render.
 */
function useRowActions(deps: RowDeps): RowActions {
  const [rows] = useState(() => newRowActions(deps));
  useLayoutEffect(() => rows.drawn(deps));
  return rows.actions;
}

function newRowActions(first: RowDeps): { actions: RowActions; drawn: (deps: RowDeps) => void } {
  let latest = first;
  let focusAfter: string | null = null;
  const stepsNow = (): readonly WorkflowStepData[] => latest.draft.graph.Steps;
  const move = (key: string, by: -1 | 1): void => {
    focusAfter = key;
    latest.draft.change((before) => moveStep(before, key, by));
  };
  const goTo = (step: WorkflowStepData | undefined): void => {
    if (!step) return;
    latest.draft.select(step.Key);
    focusAfter = step.Key;
    document.getElementById(stepButtonId(step.Key))?.focus();
  };
  const onKeyDown = (event: KeyboardEvent, key: string): void => {
    const { isReadOnly } = latest;
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (by !== 0 && event.altKey) {
      if (!isReadOnly) move(key, by);
    } else if (by !== 0) goTo(stepsNow()[stepsNow().findIndex(({ Key }) => Key === key) + by]);
    else if (event.key === 'Home') goTo(stepsNow()[0]);
    else if (event.key === 'End') goTo(stepsNow().at(-1));
    else if (event.key === 'Delete' && !isReadOnly) latest.stepActions.remove(key);
    else if (event.key === 'Insert' && !isReadOnly) latest.stepActions.add({ after: key });
    else return;
    event.preventDefault();
  };
  const actions: RowActions = {
    select: (key) => latest.draft.select(key),
    open: (key) => latest.stepActions.open(key),
    onKeyDown,
    move,
    duplicate: (key) => latest.draft.add((before) => duplicateStep(before, key)),
    remove: (key) => latest.stepActions.remove(key),
  };
  return {
    actions,
    drawn: (deps) => {
      latest = deps;
      if (focusAfter !== null) document.getElementById(stepButtonId(focusAfter))?.focus();
      focusAfter = null;
    },
  };
}
