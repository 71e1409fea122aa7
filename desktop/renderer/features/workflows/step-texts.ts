/** Texts about steps. */
import type { EdgeCondition, FailurePolicy, JoinRule } from '#shared/rules/workflows/types.ts';
import { t } from '#renderer/language/translate.ts';

export const WHEN_TEXT: Record<EdgeCondition, string> = {
  success: t('succeeded'),
  warning: t('succeeded with warnings'),
  failure: t('failed'),
  always: t('ended'),
  yes: t('yes'),
  no: t('no'),
};

export const JOIN_TEXT: Record<JoinRule, string> = {
  AllSucceeded: t('all succeeded or were skipped on purpose'),
  AllEnded: t('all ended'),
  AnySucceeded: t('any succeeded'),
};

export const FAILURE_TEXT: Record<FailurePolicy, string> = {
  Stop: t('Stop: nothing more is started'),
  Continue: t('Continue: other branches keep running'),
  Handled: t('Handled: the step that follows on failure takes over'),
};
