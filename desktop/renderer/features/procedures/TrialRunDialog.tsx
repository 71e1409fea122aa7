import { Button, Callout, Checkbox, Dialog, DialogBody, DialogFooter, HTMLSelect, TextArea } from '@blueprintjs/core';
import { WarningSign } from '@blueprintjs/icons';
import { useEffect, useRef, useState } from 'react';
import type { ProcedureSettings } from '#shared/contract/procedure-settings.ts';
import {
  TRIAL_WARNING,
  tryProcedure,
  type ProcedureDescription,
  type ProcedureParameter,
  type TrialRun,
} from '#shared/contract/procedures.ts';
import { isAbort, toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { CellField } from '#renderer/ui/CellField.tsx';
import { said, t } from '#renderer/language/translate.ts';
import '#renderer/features/run-form/run-form.css';
import { ErrorSummary } from '#renderer/ui/ErrorSummary.tsx';
import { FormField } from '#renderer/ui/FormField.tsx';
import { isAsked, isFile, isTable, usageText } from './procedure-settings.ts';
import { draftIssue, kindOf, newDrafts, trialValues, type TrialDraft, type TrialDrafts } from './trial-values.ts';

interface TrialRunDialogProps {
  description: ProcedureDescription;
  settings: ProcedureSettings;
  onClose: () => void;
  onUse: (trial: TrialRun) => void;
}

/** Asks for values, warns, calls the procedure, and shows the results. */
export function TrialRunDialog({ description, settings, onClose, onUse }: TrialRunDialogProps) {
  const { ProcedureName, Parameters } = description;
  const [drafts, setDrafts] = useState<TrialDrafts>(() => newDrafts(Parameters));
  const trial = useTrial();
  const issues = Parameters.filter(isAsked).flatMap((parameter) => {
    const message = draftIssue(parameter, drafts[parameter.Name]!);
    return message === null ? [] : [{ fieldId: fieldId(parameter), message: `${parameter.Name}: ${message}` }];
  });
  const run = (): void => {
    if (issues.length > 0) trial.refuse();
    else void trial.run(ProcedureName, trialValues(Parameters, drafts));
  };
  const { isRunning, outcome } = trial;
  return (
    <Dialog isOpen title={t('Trial run')} onClose={onClose} canOutsideClickClose={false} className="rs-trial">
      <DialogBody>
        <Callout intent="warning" icon={<WarningSign />}>
          {said(TRIAL_WARNING)}
        </Callout>
        <ErrorSummary
          title={
            trial.failure ?? (trial.attempt > 0 && issues.length > 0 ? t('Please correct the errors shown.') : null)
          }
          issues={trial.failure === null ? issues : []}
          attempt={trial.attempt}
        />
        {Parameters.filter(isAsked).map((parameter) => (
          <TrialField
            key={parameter.Name}
            parameter={parameter}
            draft={drafts[parameter.Name]!}
            canSkip={isSkippable(parameter, settings)}
            onChange={(change) =>
              setDrafts((before) => ({ ...before, [parameter.Name]: { ...before[parameter.Name]!, ...change } }))
            }
          />
        ))}
        {outcome && <Outcome trial={outcome} />}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={isRunning ? t('Cancel') : t('Close')} onClick={isRunning ? trial.cancel : onClose} />
            <Button text={t('Run trial')} intent={outcome ? 'none' : 'warning'} loading={isRunning} onClick={run} />
            {outcome && (outcome.Results.length > 0 || !description.ResultsAreAll) && (
              <Button intent="primary" text={t('Use these results')} onClick={() => onUse(outcome)} />
            )}
          </>
        }
      />
    </Dialog>
  );
}

const fieldId = ({ Name }: ProcedureParameter): string => `trial-${Name}`;

const isSkippable = ({ Name, HasDefault }: ProcedureParameter, { Parameters }: ProcedureSettings): boolean =>
  HasDefault === true || (HasDefault === null && Parameters.some((one) => one.Name === Name && one.MayBeLeftOut));

/** The call of a trial run. Closing or cancelling the dialog also cancels the call in the database. */
function useTrial() {
  const [state, setState] = useState({
    isRunning: false,
    failure: null as string | null,
    outcome: null as TrialRun | null,
    attempt: 0,
  });
  const aborter = useRef<AbortController | null>(null);
  useEffect(() => () => aborter.current?.abort(), []);
  const run = async (ProcedureName: string, Values: ReturnType<typeof trialValues>): Promise<void> => {
    aborter.current = new AbortController();
    const { signal } = aborter.current;
    setState((before) => ({ ...before, isRunning: true, failure: null, outcome: null }));
    const end = (change: Partial<typeof state>): void =>
      setState((before) => ({ ...before, isRunning: false, attempt: before.attempt + 1, ...change }));
    try {
      end({ outcome: await call(tryProcedure, { body: { ProcedureName, Values, Confirmed: true }, signal }) });
    } catch (error) {
      end({ failure: isAbort(error) ? t('The trial run was cancelled') : toFailure(error).message });
    }
  };
  return {
    ...state,
    run,
    refuse: () => setState((before) => ({ ...before, failure: null, attempt: before.attempt + 1 })),
    cancel: () => aborter.current?.abort(),
  };
}

interface TrialFieldProps {
  parameter: ProcedureParameter;
  draft: TrialDraft;
  canSkip: boolean;
  onChange: (change: Partial<TrialDraft>) => void;
}

function TrialField(props: TrialFieldProps) {
  const { parameter, draft, canSkip, onChange } = props;
  const helper = isTable(parameter)
    ? t('Paste rows from a sheet with the columns {columns}', {
        columns: parameter.Columns.map(({ Name }) => Name).join(', '),
      })
    : parameter.DataType;
  return (
    <FormField
      id={fieldId(parameter)}
      label={parameter.Name}
      helper={isFile(parameter) ? t('{dataType}: no file in a trial run', { dataType: parameter.DataType }) : helper}
      error={draftIssue(parameter, draft)}
    >
      {(field) => (
        <>
          {canSkip && (
            <Checkbox
              label={t('Specify value explicitly')}
              aria-label={t('Specify the value of {name} explicitly', { name: parameter.Name })}
              checked={!draft.isSkipped}
              onChange={(event) => onChange({ isSkipped: !event.currentTarget.checked })}
            />
          )}
          {!isFile(parameter) && <TrialControl {...props} field={field} />}
        </>
      )}
    </FormField>
  );
}

function TrialControl({ parameter, draft, field, onChange }: TrialFieldProps & { field: FieldOf }) {
  const { intent: _intent, ...plain } = field;
  if (isTable(parameter)) {
    return (
      <TextArea
        {...field}
        fill
        rows={4}
        wrap="off"
        className="rs-mono"
        disabled={draft.isSkipped}
        value={draft.lines}
        onKeyDown={(event) => {
          // Tab inserts a tab between cells, as in copied rows. Shift+Tab still leaves the field.
          if (event.key !== 'Tab' || event.shiftKey || event.currentTarget.value === '') return;
          event.preventDefault();
          document.execCommand('insertText', false, '\t');
        }}
        onChange={(event) => onChange({ lines: event.currentTarget.value })}
      />
    );
  }
  if (parameter.Items) {
    return (
      <HTMLSelect
        {...plain}
        disabled={draft.isSkipped}
        value={String(draft.cell ?? '')}
        options={[{ value: '', label: t('blank') }, ...parameter.Items.map((item) => ({ value: item, label: item }))]}
        onChange={(event) => onChange({ cell: event.currentTarget.value || null })}
      />
    );
  }
  return (
    <CellField
      field={field}
      label={parameter.Name}
      kind={kindOf(parameter)}
      value={draft.cell}
      picker={null}
      disabled={draft.isSkipped}
      readOnly={false}
      onChange={(cell) => onChange({ cell })}
    />
  );
}

type FieldOf = Parameters<Parameters<typeof FormField>[0]['children']>[0];

function Outcome({ trial }: { trial: TrialRun }) {
  const { Results, ReturnCode, Messages } = trial;
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section ref={box} aria-label={t('Outcome of the trial run')} role="status">
      <h3>{t('Returned results')}</h3>
      {Results.length === 0 && <p>{t('No result sets.')}</p>}
      {Results.map(({ Columns, Rows }, index) => (
        // Results are identified by position only.
        <p key={index}>
          <strong>{t('Result{index}', { index: index + 1 })}</strong>{' '}
          {Columns.map(({ Name, CellUsage: usage }) => `${Name} (${usageText(usage)})`).join(', ')}{' '}
          <span className="rs-muted rs-nowrap">{t('{rows, plural, one {1 row} other {# rows}}', { rows: Rows })}</span>
        </p>
      ))}
      {ReturnCode !== null && <p>{t('Return code {returnCode}', { returnCode: ReturnCode })}</p>}
      {Messages.length > 0 && (
        <ul className="rs-plain-list rs-mono">
          {Messages.map((message, index) => (
            // The same message may occur twice.
            <li key={index}>{message}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
