import { hasSucceeded, isPending, type RunStatus } from '#shared/contract/run-status.ts';
import { t } from '#renderer/language/translate.ts';

/** Outcomes that a timeline tells apart. */
export type OutcomeGroup = 'pending' | 'succeeded' | 'warned' | 'failed' | 'cancelled';

export const OUTCOME_GROUPS: readonly OutcomeGroup[] = ['succeeded', 'warned', 'failed', 'cancelled', 'pending'];

export const OUTCOME_GROUP_TEXTS: Record<OutcomeGroup, string> = {
  pending: t('Pending'),
  succeeded: t('Succeeded'),
  warned: t('Succeeded with warnings'),
  failed: t('Failed'),
  cancelled: t('Cancelled'),
};

export function outcomeGroup(status: RunStatus): OutcomeGroup {
  if (isPending(status)) return 'pending';
  if (status === 'SucceededWarn') return 'warned';
  if (hasSucceeded(status)) return 'succeeded';
  return status === 'Cancelled' ? 'cancelled' : 'failed';
}
