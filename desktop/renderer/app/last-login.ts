import type { TokenResponse } from '#shared/contract/auth.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';

/** When the account was last used, or somebody last failed to. Source: specification of security, section 4. */
export function lastLoginMessage({ lastLoginTime }: TokenResponse, lastFailed: string | null): string {
  if (lastFailed) return `Last Login attempt at ${formatDayTime(lastFailed)} failed`;
  return lastLoginTime ? `Last successful account activity at ${formatDayTime(lastLoginTime)}` : '';
}
