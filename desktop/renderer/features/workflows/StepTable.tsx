import { Button } from '@blueprintjs/core';
import { ArrowDown, ArrowUp, Cross, Duplicate, Error as ErrorIcon } from '@blueprintjs/icons';
import { useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import type { WorkflowFault, WorkflowStep } from '#shared/contract/workflows.ts';
import { isSameInputName } from '#shared/rules/checklist-rules.ts';
import { stepsByKey } from '#shared/rules/chains/graph-order.ts';
import { activityOf } from './offered-sources.ts';
import type { WorkflowDraft } from './use-workflow-draft.ts';
import { duplicateStep, KIND_TEXT, moveStep, removeStep } from './workflow-draft.ts';
import { WHEN_TEXT } from './step-texts.ts';

interface StepTableProps {
  draft: WorkflowDraft;
  faults: readonly WorkflowFault[];
  isReadOnly: boolean;
  /** Where the fields of the selected step are. */
  onOpen: () => void;
}

export const stepButtonId = (key: string): string => `workflow-step-${key}`;

/** The steps of a workflow as a list: what the drawing shows, for hands that have keys alone and for eyes that read. */
export function StepTable({ draft, faults, isReadOnly, onOpen }: StepTableProps) {
  const { graph, selected } = draft;
  const focusAfter = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (focusAfter.current === null) return;
    document.getElementById(stepButtonId(focusAfter.current))?.focus();
    focusAfter.current = null;
  });
  const bySteps = Map.groupBy(faults, ({ Step }) => Step);
  const remove = (key: string): void => {
    const at = graph.Steps.findIndex(({ Key }) => Key === key);
    const next = graph.Steps[at + 1] ?? graph.Steps[at - 1];
    focusAfter.current = next?.Key ?? null;
    draft.change((before) => removeStep(before, key));
    draft.select(next?.Key ?? null);
  };
  const move = (key: string, by: -1 | 1): void => {
    focusAfter.current = key;
    draft.change((before) => moveStep(before, key, by));
  };
  const onKeyDown = (event: KeyboardEvent, at: number): void => {
    const key = graph.Steps[at]!.Key;
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (by !== 0 && event.altKey) {
      if (!isReadOnly) move(key, by);
    } else if (by !== 0 || event.key === 'Home' || event.key === 'End') {
      const to = event.key === 'Home' ? 0 : event.key === 'End' ? graph.Steps.length - 1 : at + by;
      const step = graph.Steps[to];
      if (step) {
        draft.select(step.Key);
        focusAfter.current = step.Key;
        document.getElementById(stepButtonId(step.Key))?.focus();
      }
    } else if (event.key === 'Delete' && !isReadOnly) remove(key);
    else return;
    event.preventDefault();
  };
  // One of the steps is reached by Tab, the others from there by arrow keys.
  const reached = selected ?? graph.Steps[0]?.Key;
  return (
    <div className="rs-workflow-list" role="region" aria-label="Steps" tabIndex={-1}>
      <table className="rs-workflow-steps">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Activity</th>
            <th scope="col">After</th>
            <th scope="col">When</th>
            <th scope="col">Inputs</th>
            {!isReadOnly && (
              <th scope="col">
                <span className="rs-visually-hidden">Change</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {graph.Steps.map((step, at) => (
            <StepRow
              key={step.Key}
              step={step}
              draft={draft}
              faults={bySteps.get(step.Key) ?? []}
              isReached={step.Key === reached}
              onKeyDown={(event) => onKeyDown(event, at)}
              onOpen={onOpen}
            >
              {!isReadOnly && (
                <RowButtons
                  name={step.Name}
                  isFirst={at === 0}
                  isLast={at === graph.Steps.length - 1}
                  onMove={(by) => move(step.Key, by)}
                  onDuplicate={() => draft.add((before) => duplicateStep(before, step.Key))}
                  onRemove={() => remove(step.Key)}
                />
              )}
            </StepRow>
          ))}
        </tbody>
      </table>
      {graph.Steps.length === 0 && <p className="rs-muted">No steps yet: add an activity.</p>}
    </div>
  );
}

interface StepRowProps {
  step: WorkflowStep;
  draft: WorkflowDraft;
  faults: readonly WorkflowFault[];
  isReached: boolean;
  onKeyDown: (event: KeyboardEvent) => void;
  onOpen: () => void;
  children: React.ReactNode;
}

function StepRow({ step, draft, faults, isReached, onKeyDown, onOpen, children }: StepRowProps) {
  const { graph, activities, selected, select } = draft;
  const names = stepsByKey(graph);
  const isSelected = step.Key === selected;
  const open = (): void => {
    select(step.Key);
    onOpen();
  };
  return (
    <tr className={isSelected ? 'is-selected' : undefined} onClick={() => select(step.Key)}>
      <th scope="row">
        <button
          type="button"
          id={stepButtonId(step.Key)}
          className="rs-workflow-step"
          aria-current={isSelected ? 'true' : undefined}
          title="Enter opens its fields; arrow keys go to other steps, with Alt they move it; Delete removes it"
          tabIndex={isReached ? 0 : -1}
          onClick={open}
          onKeyDown={onKeyDown}
        >
          {step.Name.trim() === '' ? '(no name)' : step.Name}
        </button>
        {step.Kind !== 'Activity' && <span className="rs-workflow-kind"> {KIND_TEXT[step.Kind]}</span>}
        {faults.map(({ Message }) => (
          <div key={Message} className="rs-field-error">
            <ErrorIcon size={13} title="Error" />
            <span>{Message}</span>
          </div>
        ))}
      </th>
      <td>{activityText(step, draft)}</td>
      <td>
        {step.After.length === 0 && <span className="rs-muted">The start</span>}
        {step.After.map((edge) => (
          <div key={`${edge.Step} ${edge.When}`}>{names.get(edge.Step)?.Name ?? 'A step that is not there'}</div>
        ))}
      </td>
      <td className="rs-nowrap">
        {step.After.map((edge) => (
          <div key={`${edge.Step} ${edge.When}`}>{WHEN_TEXT[edge.When]}</div>
        ))}
      </td>
      <td>{inputsText(step, activityOf(step, activities)?.Inputs)}</td>
      {children && <td className="rs-nowrap">{children}</td>}
    </tr>
  );
}

function activityText(step: WorkflowStep, { activities }: WorkflowDraft): string {
  if (!('ActivityId' in step)) return '';
  return activities.get(step.ActivityId)?.Name ?? `Activity ${step.ActivityId}`;
}

/** How many of the inputs that are asked for are mapped; of a decision its condition. */
function inputsText(step: WorkflowStep, asked: readonly { Name: string; IsMappable: boolean }[] | undefined): string {
  if (step.Kind === 'Decision') return step.Condition;
  if (!('Inputs' in step)) return '';
  if (!asked) return `${step.Inputs.length} mapped`;
  const mappable = asked.filter(({ IsMappable }) => IsMappable);
  if (mappable.length === 0) return 'None';
  const mapped = mappable.filter(({ Name }) => step.Inputs.some(({ Input }) => isSameInputName(Input, Name)));
  return `${mapped.length} of ${mappable.length} mapped`;
}

interface RowButtonsProps {
  name: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: -1 | 1) => void;
  onDuplicate: () => void;
  onRemove: () => void;
}

function RowButtons({ name, isFirst, isLast, onMove, onDuplicate, onRemove }: RowButtonsProps) {
  const shared = { variant: 'minimal', size: 'small' } as const;
  // The row selects what is clicked: its buttons do not.
  const alone = (act: () => void) => (event: React.MouseEvent) => {
    event.stopPropagation();
    act();
  };
  return (
    <>
      <Button
        {...shared}
        icon={<ArrowUp />}
        aria-label={`Move ${name} up`}
        disabled={isFirst}
        onClick={alone(() => onMove(-1))}
      />
      <Button
        {...shared}
        icon={<ArrowDown />}
        aria-label={`Move ${name} down`}
        disabled={isLast}
        onClick={alone(() => onMove(1))}
      />
      <Button {...shared} icon={<Duplicate />} aria-label={`Duplicate ${name}`} onClick={alone(onDuplicate)} />
      <Button {...shared} icon={<Cross />} aria-label={`Remove ${name}`} onClick={alone(onRemove)} />
    </>
  );
}
