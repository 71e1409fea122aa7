import type { DashboardShare } from '#shared/contract/dashboards.ts';
import { t } from '#renderer/language/translate.ts';

/** What the user did with one role or person in the list of shares. */
export type ShareChange = 'add' | 'change' | 'remove';

export const keyOfShare = (share: DashboardShare): string =>
  'RoleName' in share
    ? t('role {roleName}', { roleName: share.RoleName })
    : t('user {userId}', { userId: share.UserId });

/**
 * Applies a change to the shares as they are now. Somebody else may have changed them since they were shown: what they
 * took back stays taken back, and what they granted stays granted.
 */
export function withShare(
  shares: readonly DashboardShare[],
  share: DashboardShare,
  change: ShareChange,
): DashboardShare[] {
  const key = keyOfShare(share);
  const isThere = shares.some((one) => keyOfShare(one) === key);
  if (change === 'add') return isThere ? [...shares] : [...shares, share];
  return shares.flatMap((one) => (keyOfShare(one) !== key ? one : change === 'remove' ? [] : share));
}
