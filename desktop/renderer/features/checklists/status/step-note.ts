import type { ChecklistStep } from '#shared/contract/checklist-runs.ts';
import { isPending } from '#shared/contract/run-status.ts';
import type { RunState } from '#shared/contract/runs.ts';
import { said, t } from '#renderer/language/translate.ts';

const isShownBelow = ({ Approval }: ChecklistStep): boolean =>
  Approval !== null && (Approval.Outcome === 'Open' || Approval.Decisions.length > 0);

/** Describes what the step is doing, what it waits for, or why it was not run. */
export function noteOf(step: ChecklistStep, state: RunState | null): string {
  const progress = state?.Progress;
  const share = progress?.Share == null ? '' : ` (${Math.round(progress.Share * 100)} %)`;
  const { RunningChildRuns: running, SuccessfulChildRuns: successful, FailedChildRuns: failed } = step;
  const counts = [
    running > 0 ? t('{running} running', { running }) : '',
    successful > 0 ? t('{successful} successful', { successful }) : '',
    failed > 0 ? t('{failed} failed', { failed }) : '',
  ].filter((text) => text !== '');
  const parts = [
    step.StepName !== '' && step.StepName !== step.Name ? step.StepName : '',
    // The approval's question and decisions are shown below the note.
    isShownBelow(step) ? '' : messageText(step.Message),
    isPending(step.Status) && step.WaitsFor.length > 0
      ? t('Waits for {waitsFor}', { waitsFor: step.WaitsFor.join(', ') })
      : '',
    counts.length > 0 ? t('Rows: {counts}', { counts: counts.join(', ') }) : '',
    progress && progress.Phase !== '' ? `${said(progress.Phase)}${share}` : '',
    step.Attempt > 1 ? t('Attempt {attempt}', { attempt: step.Attempt }) : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** The format that server/workflows/begin-decision.ts writes: 'Yes: Overdue > 0 (Overdue is 357.57)'. */
const DECISION = /^(Yes|No): (.*?)( \([^()]* is .*\))?$/s;

/** Returns the server's message about a step, or the outcome of a decision, in the user's language. */
export function messageText(message: string): string {
  const [, outcome, condition, values = ''] = DECISION.exec(message) ?? [];
  if (outcome === undefined || condition === undefined) return said(message);
  const outcomeText = outcome === 'Yes' ? t('Yes: {condition}', { condition }) : t('No: {condition}', { condition });
  return outcomeText + valuesText(values);
}

/** Translates only unambiguous words of the server. Values are user text and may contain sentences. */
function valuesText(values: string): string {
  const parts = values.slice(' ('.length, -1).split(', ');
  if (!parts.every((part) => /^\S+ is \S+$/.test(part))) return values;
  const translated = parts.map((part) => part.replace(/ blank$/, ` ${t('blank')}`).replace(' is ', t(' is ')));
  return ` (${translated.join(', ')})`;
}
