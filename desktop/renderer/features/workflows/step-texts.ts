/** What steps say of themselves, in words. */
import type { EdgeCondition, FailurePolicy, JoinRule } from '#shared/rules/chains/types.ts';

export const WHEN_TEXT: Record<EdgeCondition, string> = {
  success: 'succeeded',
  warning: 'succeeded with warnings',
  failure: 'failed',
  always: 'ended',
  yes: 'yes',
  no: 'no',
};

export const JOIN_TEXT: Record<JoinRule, string> = {
  AllSucceeded: 'all succeeded, or were left out on purpose',
  AllEnded: 'all ended',
  AnySucceeded: 'any succeeded',
};

export const FAILURE_TEXT: Record<FailurePolicy, string> = {
  Stop: 'Stop: nothing more is started',
  Continue: 'Continue: other branches go on',
  Handled: 'Handled: the step after it on failure deals with it',
};
