import type { ResumedStep } from '#shared/contract/checklist-resumes.ts';
import { effectsText } from '#renderer/features/runs/operator/retry-texts.ts';
import { said, t } from '#renderer/language/translate.ts';

/** Returns why a step runs again, or which of its rows do; '' if the list of steps shows that. */
export function reasonText({ Kind, Because, Rows, Status, Will, Message }: ResumedStep): string {
  if (Will === 'NotRun') return said(Message);
  if (Kind === 'Approval' && Status !== 'Cancelled') return t('is requested again');
  if (Rows === 'One') return t('one row');
  if (Rows === 'Unsuccessful' && Because !== 'Input') return t('rows that did not succeed');
  if (Because === 'Input') return t('uses an input that you changed');
  return Because === 'After' ? t('comes after a step that runs again') : '';
}

/** Returns what a step changes outside the portal, and whether it may have done so already. */
export function effectText({ StepName, Effects, HasRun }: ResumedStep): string {
  const texts = { name: StepName, effects: effectsText(Effects) };
  return HasRun
    ? t('{name}: {effects}. It has run before, so this may happen a second time.', texts)
    : t('{name}: {effects}. It has not run yet.', texts);
}
