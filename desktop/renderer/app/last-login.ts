import type { TokenResponse } from '#shared/contract/auth.ts';
import { t } from '#renderer/language/translate.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';

/**
 * Returns when the account was last used, or when a sign-in last failed. Source: specification of security, section 4.
 */
export function lastLoginMessage({ lastLoginTime }: TokenResponse, lastFailed: string | null): string {
  if (lastFailed) return t('Last Login attempt at {lastFailed} failed', { lastFailed: formatDayTime(lastFailed) });
  return lastLoginTime
    ? t('Last successful account activity at {lastLoginTime}', { lastLoginTime: formatDayTime(lastLoginTime) })
    : '';
}
