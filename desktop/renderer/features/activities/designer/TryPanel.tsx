import { Button, Callout } from '@blueprintjs/core';
import { LabTest } from '@blueprintjs/icons';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { RegionId } from '#shared/contract/auth.ts';
import { tryDesign, type TriedDesign } from '#shared/contract/designs.ts';
import { FORM_ISSUE } from '#shared/rules/input-rules.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { checkForm } from '#renderer/features/run-form/validation/check-form.ts';
import { isHiddenInput } from '#renderer/features/run-form/form-inputs.ts';
import {
  hasIssues,
  issuesOfModelState,
  refuseStart,
  type RunFormStore,
} from '#renderer/features/run-form/run-form-store.ts';
import { FormSummary } from '#renderer/features/run-form/FormSummary.tsx';
import { RunInput } from '#renderer/features/run-form/fields/RunInput.tsx';
import { ValuesView, type ShownValue } from '#renderer/ui/values/ValuesView.tsx';
import { said, t } from '#renderer/language/translate.ts';
import { createTrialForm, isFixedInTrial, trialInputs } from './trial-form.ts';
import type { Designer } from './use-designer.ts';
import '#renderer/features/run-form/run-form.css';

interface TryPanelProps {
  designer: Designer;
  name: string;
  description: string;
  /** The region that the author chose; '' for the region of the file. */
  region: RegionId | '';
}

/** The resulting form, for trying it out. The server calculates it and stores nothing. */
export function TryPanel({ designer, name, description, region }: TryPanelProps) {
  const inputs = designer.found?.Inputs;
  const [form, setForm] = useState<{ inputs: typeof inputs; store: RunFormStore } | null>(null);
  // Changed marks need a new form; it takes over what was typed into the previous one.
  if (inputs && form?.inputs !== inputs) setForm({ inputs, store: createTrialForm(inputs, form?.store ?? null) });
  const store = form?.store ?? null;
  const { attempt, isTrying, tried, failure } = useTry(designer, store, region);
  const reason = useServerReason();
  if (!store) return <p className="rs-muted">{t('The form appears once the marks are saved.')}</p>;
  const shown = store.getState().activity.Inputs.filter((input) => !isHiddenInput(input));
  return (
    <form
      className="rs-preview"
      noValidate
      aria-label={t('Form to try')}
      onSubmit={(event) => {
        event.preventDefault();
        void attempt();
      }}
    >
      <h3>{name || t('The activity')}</h3>
      {description !== '' && <p className="rs-muted">{description}</p>}
      <FormSummary store={store} />
      {shown.map((input) => (
        <RunInput key={input.Id} store={store} input={input} locked={isFixedInTrial(input)} />
      ))}
      {shown.length === 0 && <p className="rs-muted">{t('This activity has no inputs.')}</p>}
      <div className="rs-form-actions">
        <Button
          type="submit"
          icon={<LabTest />}
          text={t('Try')}
          loading={isTrying}
          disabled={reason !== undefined}
          title={reason ?? t('Check and calculate; nothing is stored')}
        />
      </div>
      {failure !== null && <Callout intent="danger">{said(failure)}</Callout>}
      {tried && <TrialOutputs key={tried.number} tried={tried.result} />}
    </form>
  );
}

function useTry(designer: Designer, store: RunFormStore | null, region: RegionId | '') {
  const [isTrying, setTrying] = useState(false);
  const [tried, setTried] = useState<{ number: number; result: TriedDesign } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const attempt = async (): Promise<void> => {
    if (!store) return;
    setTrying(true);
    setFailure(null);
    try {
      const issues = await checkForm(store.getState());
      if (hasIssues(issues)) refuseStart(store, { title: FORM_ISSUE, issues });
      else if ((await designer.flush()) !== null) {
        const params = { id: designer.design.Id };
        const body = { Inputs: trialInputs(store.getState()), ...(region !== '' && { Region: region }) };
        const result = await call(tryDesign, { params, body });
        setTried((before) => ({ number: (before?.number ?? 0) + 1, result }));
      } else setFailure(t('The marks could not be saved, so there is nothing to try yet.'));
    } catch (error) {
      const { message, modelState } = toFailure(error);
      const { issues, general } = issuesOfModelState(store.getState().activity.Inputs, modelState);
      if (hasIssues(issues)) refuseStart(store, { title: FORM_ISSUE, issues, general });
      else setFailure(message);
    } finally {
      setTrying(false);
    }
  };
  return { attempt, isTrying, tried, failure };
}

/** Shows the outputs of the trial calculation and takes the focus. */
function TrialOutputs({ tried }: { tried: TriedDesign }) {
  const values = useMemo(
    () =>
      tried.Outputs.map((output, index): ShownValue => ({
        id: index + 1,
        name: output.Name,
        description: output.Description,
        info: output.Info,
        json: output.Value,
        note: output.Value === null ? t('none') : '',
        files: [],
        tableToken: null,
      })),
    [tried],
  );
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} className="rs-tried" role="region" aria-label={t('Result')}>
      <h3>{t('Result')}</h3>
      <p role="status">
        {tried.HasSucceeded ? t('Calculated. Nothing was stored.') : t('The calculation failed. Nothing was stored.')}
      </p>
      {tried.Messages.length > 0 && (
        <ul>
          {tried.Messages.map((message, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the messages of what is over do not change
            <li key={index}>{said(message)}</li>
          ))}
        </ul>
      )}
      <ValuesView values={values} tone="output" />
    </div>
  );
}
