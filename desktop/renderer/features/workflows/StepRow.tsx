import { Button } from '@blueprintjs/core';
import { ArrowDown, ArrowUp, Cross, Duplicate, Error as ErrorIcon } from '@blueprintjs/icons';
import { memo, type KeyboardEvent } from 'react';
import type { WorkflowActivity, WorkflowProblem, WorkflowStepData } from '#shared/contract/workflows.ts';
import { isSameInputName } from '#shared/rules/checklist-rules.ts';
import { said, t } from '#renderer/language/translate.ts';
import { WHEN_TEXT } from './step-texts.ts';
import { KIND_TEXT } from './workflow-draft.ts';

export const stepButtonId = (key: string): string => `workflow-step-${key}`;

/** The actions of a row on its step. The object stays the same while the list is mounted. */
export interface RowActions {
  select: (key: string) => void;
  /** Selects the step and moves to its fields. */
  open: (key: string) => void;
  onKeyDown: (event: KeyboardEvent, key: string) => void;
  move: (key: string, by: -1 | 1) => void;
  duplicate: (key: string) => void;
  remove: (key: string) => void;
}

interface StepRowProps {
  step: WorkflowStepData;
  /** The preceding steps in their order, one per line. */
  before: string;
  activity: WorkflowActivity | undefined;
  problems: readonly WorkflowProblem[];
  isSelected: boolean;
  /** True if Tab reaches this row. */
  isReached: boolean;
  isFirst: boolean;
  isLast: boolean;
  isReadOnly: boolean;
  actions: RowActions;
}

/** A step in the list. Memoized: with hundreds of steps, typing would otherwise wait for all rows. */
export const StepRow = memo(function StepRow(props: StepRowProps) {
  const { step, before, activity, problems, isSelected, isReached, isReadOnly, actions } = props;
  const { Key, Name } = step;
  return (
    <tr className={isSelected ? 'is-selected' : undefined} onClick={() => actions.select(Key)}>
      <th scope="row">
        <button
          type="button"
          id={stepButtonId(Key)}
          className="rs-workflow-step"
          aria-current={isSelected ? 'true' : undefined}
          title={t(
            'Enter opens the step; arrow keys go to other steps; Alt+arrow keys move the step; Insert adds a step after it; Delete removes it',
          )}
          tabIndex={isReached ? 0 : -1}
          onClick={() => actions.open(Key)}
          onKeyDown={(event) => actions.onKeyDown(event, Key)}
        >
          {Name.trim() === '' ? t('(no name)') : Name}
        </button>
        {step.Kind !== 'Activity' && <span className="rs-workflow-kind"> {KIND_TEXT[step.Kind]}</span>}
        {problems.map(({ Message }) => (
          <div key={Message} className="rs-field-error">
            <ErrorIcon size={13} title={t('Error')} />
            <span>{said(Message)}</span>
          </div>
        ))}
      </th>
      <td>{'ActivityId' in step && (activity?.Name ?? t('Activity {activityId}', { activityId: step.ActivityId }))}</td>
      <td>
        {step.After.length === 0 && <span className="rs-muted">{t('The start')}</span>}
        {step.After.length > 0 && before.split('\n').map((name, at) => <div key={at}>{name}</div>)}
      </td>
      <td className="rs-nowrap">
        {step.After.map((edge) => (
          <div key={`${edge.Step} ${edge.When}`}>{WHEN_TEXT[edge.When]}</div>
        ))}
      </td>
      <td>{inputsText(step, activity?.Inputs)}</td>
      {!isReadOnly && (
        <td className="rs-nowrap">
          <RowButtons {...props} />
        </td>
      )}
    </tr>
  );
});

/** Returns how many of the activity's inputs are mapped; for a decision, its condition. */
function inputsText(
  step: WorkflowStepData,
  asked: readonly { Name: string; IsMappable: boolean }[] | undefined,
): string {
  if (step.Kind === 'Decision') return step.Condition;
  if (!('Inputs' in step)) return '';
  if (!asked) return t('{inputsCount} mapped', { inputsCount: step.Inputs.length });
  const mappable = asked.filter(({ IsMappable }) => IsMappable);
  if (mappable.length === 0) return t('None');
  const mapped = mappable.filter(({ Name }) => step.Inputs.some(({ Input }) => isSameInputName(Input, Name)));
  return t('{mappedCount} of {mappableCount} mapped', { mappedCount: mapped.length, mappableCount: mappable.length });
}

function RowButtons({ step: { Key, Name }, isFirst, isLast, actions }: StepRowProps) {
  const shared = { variant: 'minimal', size: 'small' } as const;
  // A click on the row selects it; clicks on its buttons do not.
  const alone = (act: () => void) => (event: React.MouseEvent) => {
    event.stopPropagation();
    act();
  };
  return (
    <>
      <Button
        {...shared}
        icon={<ArrowUp />}
        aria-label={t('Move {name} up', { name: Name })}
        disabled={isFirst}
        onClick={alone(() => actions.move(Key, -1))}
      />
      <Button
        {...shared}
        icon={<ArrowDown />}
        aria-label={t('Move {name} down', { name: Name })}
        disabled={isLast}
        onClick={alone(() => actions.move(Key, 1))}
      />
      <Button
        {...shared}
        icon={<Duplicate />}
        aria-label={t('Duplicate {name}', { name: Name })}
        onClick={alone(() => actions.duplicate(Key))}
      />
      <Button
        {...shared}
        icon={<Cross />}
        aria-label={t('Remove {name}', { name: Name })}
        onClick={alone(() => actions.remove(Key))}
      />
    </>
  );
}
