/** Reads and validates the typed queue settings. */
import { POOL_NAME, MAX_RUN_CONCURRENCY } from '#shared/contract/queueing.ts';
import { t } from '#renderer/language/translate.ts';

export const poolIssue = (typed: string): string | null =>
  POOL_NAME.test(typed.trim()) ? null : t('Pool names can contain only lowercase letters, digits, and . _ -');

/** Returns null for no limit, and undefined if the text is invalid. */
export function parseMaxConcurrent(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= MAX_RUN_CONCURRENCY ? number : undefined;
}

export const maxConcurrentIssue = (typed: string): string | null =>
  parseMaxConcurrent(typed) === undefined
    ? t('Concurrent runs must be a whole number from 1 to {max}', { max: MAX_RUN_CONCURRENCY })
    : null;
