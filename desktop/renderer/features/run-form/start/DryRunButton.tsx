import { Button } from '@blueprintjs/core';
import { LabTest } from '@blueprintjs/icons';
import { useState } from 'react';
import { dryRun, type DryRunResult } from '#shared/contract/dry-runs.ts';
import { FORM_ISSUE } from '#shared/rules/input-rules.ts';
import { toFailure } from '#renderer/api/app-failure.ts';
import { call } from '#renderer/api/client.ts';
import { useServerReason } from '#renderer/api/connection.ts';
import { t } from '#renderer/language/translate.ts';
import { checkForm } from '#renderer/features/run-form/validation/check-form.ts';
import type { DryRunButtonProps } from '#renderer/features/run-form/form-host.ts';
import { startOf } from './queue-start.ts';
import {
  hasIssues,
  issuesOfModelState,
  refuseStart,
  type RunFormStore,
} from '#renderer/features/run-form/run-form-store.ts';

/** Validates and calculates the form without starting a run. */
export function DryRunButton({ store, onDryRun }: DryRunButtonProps) {
  const reason = useServerReason();
  const [isTrying, setTrying] = useState(false);
  const attempt = async (): Promise<void> => {
    setTrying(true);
    const { uniqueId } = store.getState();
    const result = await tryForm(store);
    setTrying(false);
    if (result) onDryRun({ result, uniqueId });
  };
  return (
    <Button
      icon={<LabTest />}
      text={t('Try')}
      loading={isTrying}
      disabled={reason !== undefined}
      title={reason ?? t('Check and calculate; nothing is stored')}
      onClick={() => void attempt()}
    />
  );
}

/** Returns null if the form was refused; the form then shows why. */
async function tryForm(store: RunFormStore): Promise<DryRunResult | null> {
  try {
    const issues = await checkForm(store.getState());
    if (!hasIssues(issues)) return await call(dryRun, { body: startOf(store.getState(), true) });
    refuseStart(store, { title: FORM_ISSUE, issues });
  } catch (error) {
    const { message, modelState } = toFailure(error);
    const { issues, general } = issuesOfModelState(store.getState().activity.Inputs, modelState);
    refuseStart(store, {
      title: hasIssues(issues) ? FORM_ISSUE : message,
      issues,
      general: general.filter((other) => other !== message),
    });
  }
  return null;
}
