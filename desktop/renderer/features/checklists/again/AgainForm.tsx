import { Callout, HTMLSelect } from '@blueprintjs/core';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { resumeChecklistRun } from '#shared/contract/checklist-resumes.ts';
import type { ChecklistInputValue, ChecklistRun, ChecklistStatus } from '#shared/contract/checklist-runs.ts';
import type { ChecklistInput } from '#shared/contract/checklists.ts';
import { call } from '#renderer/api/client.ts';
import { formsOfRun, type Forms } from '#renderer/features/run-form/form-inputs.ts';
import type { FormOrigin } from '#renderer/features/run-form/form-origin.ts';
import { PortalRunForm } from '#renderer/features/run-form/PortalRunForm.tsx';
import type { RunFormStore } from '#renderer/features/run-form/run-form-store.ts';
import { said, t } from '#renderer/language/translate.ts';
import { FormField } from '#renderer/ui/FormField.tsx';
import { useNavigateWhileHere } from '#renderer/ui/use-navigate-while-here.ts';
import type { Input } from '#shared/contract/parameters.ts';
import { asActivity, asRunInputs } from '../checklist-form.ts';
import { runAgainPath, runStatusPath } from '../checklist-menu.tsx';
import { AgainPlan } from './AgainPlan.tsx';
import { confirmedKeys } from './confirmations.ts';
import { notYetText, useAgainPlan, type AgainChoice } from './use-again-plan.ts';
import { useChangedInputs } from './use-changed-inputs.ts';
import '#renderer/features/run-form/run-form.css';

interface AgainFormProps {
  status: ChecklistStatus;
  /** The inputs in the versions of the run. */
  inputs: readonly ChecklistInput[];
  stepKey: string | undefined;
  rowKey: string | null;
  from: AgainChoice['From'];
}

/** The inputs of an earlier run, what a run with the changed ones would run again, and what must be confirmed first. */
export function AgainForm({ status, inputs: fetched, stepKey, rowKey, from }: AgainFormProps) {
  const { Checklist: run } = status;
  const [inputs] = useState(fetched);
  const [changed, setChanged] = useState<string[] | null>([]);
  const [isLatest, setLatest] = useState(false);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const names = useLast(changed);
  const choice = useMemo(
    () => ({ From: from, ChangedInputs: names, LatestVersions: isLatest }),
    [from, names, isLatest],
  );
  const query = useAgainPlan(run.RunId, choice);
  const navigate = useNavigateWhileHere();
  const activity = useMemo(() => activityOf(run, inputs), [run, inputs]);
  const earlier = useMemo(() => formsOfRun(activity.Inputs, asRunInputs(run.Inputs)), [activity, run]);
  const confirmed = useMemo(() => confirmedKeys(query.plan, ticked), [query.plan, ticked]);
  const origin = useResume(run, inputs, { choice, confirmed });
  const notYet = changed === null ? t('Checking what runs again') : notYetText(query, confirmed);
  const confirm = (text: string, isConfirmed: boolean): void =>
    setTicked((before) => new Set(isConfirmed ? [...before, text] : [...before].filter((one) => one !== text)));
  return (
    <>
      <StepChoice status={status} stepKey={stepKey} rowKey={rowKey} />
      <PortalRunForm
        activity={activity}
        origin={origin}
        preloaded={earlier}
        draftSource={`again.${run.RunId}`}
        onRun={({ Id }) => void navigate(runStatusPath(Id, run.IsWorkflow), { replace: true })}
        onReload={query.refetch}
        startsByItself={false}
        notYet={notYet}
        texts={{ lastRun: null, noInputs: t('The run has no inputs to change.'), notRunnable: null }}
      >
        {(store) => (
          <>
            <ChangeWatch store={store} inputs={activity.Inputs} earlier={earlier} onChange={setChanged} />
            {query.error && <Callout intent="danger">{said(query.error.message)}</Callout>}
            {query.plan && (
              <AgainPlan
                plan={query.plan}
                isLatest={isLatest}
                onLatest={setLatest}
                confirmed={confirmed}
                onConfirm={confirm}
              />
            )}
          </>
        )}
      </PortalRunForm>
    </>
  );
}

/** Returns the last names that were reported, while the person is typing. */
function useLast(changed: string[] | null): string[] {
  const [last, setLast] = useState<string[]>([]);
  if (changed !== null && changed.join('\n') !== last.join('\n')) setLast(changed);
  return last;
}

const activityOf = (
  { Id, Name, Description, Schema, CanEdit }: ChecklistRun,
  inputs: readonly ChecklistInput[],
): ReturnType<typeof asActivity> => {
  const about = { Id, Name, Description, Schema, CanEdit };
  return asActivity({ ...about, Group: '', Order: null, LastRun: null, Revision: 1, Inputs: [...inputs] }, true);
};

/** Returns an origin whose start continues the run with the current choice. */
function useResume(
  { RunId }: ChecklistRun,
  inputs: readonly ChecklistInput[],
  now: { choice: AgainChoice; confirmed: ReadonlySet<string> },
): FormOrigin {
  const current = useRef(now);
  useEffect(() => {
    current.current = now;
  });
  const resume = useCallback(
    async (values: ChecklistInputValue[], UniqueId: string | null) => {
      const { choice, confirmed } = current.current;
      const { From = null, ChangedInputs = [], LatestVersions = false } = choice;
      const Inputs = values.filter(({ ChecklistInputName }) => ChangedInputs.includes(ChecklistInputName ?? ''));
      const body = { From, LatestVersions, Inputs, Confirmed: [...confirmed], UniqueId };
      return call(resumeChecklistRun, { params: { runId: RunId }, body });
    },
    [RunId],
  );
  return useMemo(
    () => ({ kind: 'checklist', workflowId: null, workflowVersion: null, inputs, resume }),
    [inputs, resume],
  );
}

interface ChangeWatchProps {
  store: RunFormStore;
  inputs: readonly Input[];
  earlier: Forms;
  onChange: (names: string[] | null) => void;
}

function ChangeWatch({ store, inputs, earlier, onChange }: ChangeWatchProps) {
  useChangedInputs(store, inputs, earlier, onChange);
  return null;
}

/** Where to run again from: a step that has run, or all steps that did not succeed. */
function StepChoice({ status, stepKey, rowKey }: Pick<AgainFormProps, 'status' | 'stepKey' | 'rowKey'>) {
  const { Checklist: run, ActivityRuns: steps } = status;
  const navigate = useNavigate();
  const started = steps.filter(({ StartTime, StepKey }) => StartTime !== null || StepKey === stepKey);
  const options = [
    ...(run.CanResume || stepKey === undefined ? [{ value: '', label: t('Steps that did not succeed') }] : []),
    ...started.map(({ StepKey, StepName }) => ({ value: StepKey, label: StepName })),
  ];
  return (
    <FormField
      label={t('Run again from')}
      helper={rowKey === null ? undefined : t('Of its rows, only {rowKey} runs again.', { rowKey })}
    >
      {({ intent: _intent, ...field }) => (
        <HTMLSelect
          {...field}
          fill
          value={stepKey ?? ''}
          options={options}
          onChange={({ currentTarget: { value } }) => {
            void navigate(runAgainPath(run.RunId, run.IsWorkflow, value === '' ? undefined : value), { replace: true });
          }}
        />
      )}
    </FormField>
  );
}
