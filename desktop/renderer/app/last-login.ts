import type { TokenResponse } from '#shared/contract/auth.ts';
import { t } from '#renderer/language/translate.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';

/** When the account was last used, or somebody last failed to. Source: specification of security, section 4. */
export function lastLoginMessage({ lastLoginTime }: TokenResponse, lastFailed: string | null): string {
  if (lastFailed) return t('Last Login attempt at {lastFailed} failed', { lastFailed: formatDayTime(lastFailed) });
  return lastLoginTime
    ? t('Last successful account activity at {lastLoginTime}', { lastLoginTime: formatDayTime(lastLoginTime) })
    : '';
}
