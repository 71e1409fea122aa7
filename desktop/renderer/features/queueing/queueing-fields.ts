/** Reads and validates the typed queue settings. */
import { POOL_NAME, RUNS_AT_ONCE_MAX } from '#shared/contract/queueing.ts';
import { t } from '#renderer/language/translate.ts';

export const poolIssue = (typed: string): string | null =>
  POOL_NAME.test(typed.trim()) ? null : t('Pool names can contain only lowercase letters, digits, and . _ -');

/** Returns null for no limit, and undefined if the text is invalid. */
export function atOnceOf(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= RUNS_AT_ONCE_MAX ? number : undefined;
}

export const atOnceIssue = (typed: string): string | null =>
  atOnceOf(typed) === undefined
    ? t('Concurrent runs must be a whole number from 1 to {max}', { max: RUNS_AT_ONCE_MAX })
    : null;
