/** The search of the page Runs, as in the address: '?period=evening&status=Failed&schema=Finance&error=timeout'. */
import type { HistorySearch } from '#shared/contract/run-history.ts';
import { readFilter, searchOf, writeFilter, type HistoryFilter } from '#renderer/ui/history/history-filter.ts';

/** Periods that are chosen with one click. 'evening' begins yesterday at 18:00. */
export const PERIODS = ['evening', 'day', 'week'] as const;
export type Period = (typeof PERIODS)[number];

export interface OperatorFilter extends HistoryFilter {
  /** Takes precedence over the days from and to; null for no period. */
  period: Period | null;
  isMine: boolean;
  /** '' for all. */
  schema: string;
  /** Part of the activity's name. */
  name: string;
  /** Part of an error. */
  error: string;
  /** Key of a reason; '' for all. */
  reason: string;
}

const TEXTS = ['schema', 'name', 'error', 'reason'] as const;
const MAX_LENGTHS: Record<(typeof TEXTS)[number], number> = { schema: 128, name: 100, error: 200, reason: 16 };

export function readOperatorFilter(query: URLSearchParams): OperatorFilter {
  const text = (key: (typeof TEXTS)[number]): string => (query.get(key) ?? '').slice(0, MAX_LENGTHS[key]);
  const reason = text('reason');
  return {
    ...readFilter(query),
    period: PERIODS.find((period) => period === query.get('period')) ?? null,
    isMine: query.get('mine') === 'yes',
    schema: text('schema'),
    name: text('name'),
    error: text('error'),
    reason: /^[0-9a-f]{16}$/.test(reason) ? reason : '',
  };
}

/** Returns the address with this filter; its other parameters stay. */
export function writeOperatorFilter(query: URLSearchParams, filter: OperatorFilter): URLSearchParams {
  const next = writeFilter(query, filter.period === null ? filter : { ...filter, from: '', to: '' });
  const set = (key: string, value: string): void => (value === '' ? next.delete(key) : next.set(key, value));
  set('period', filter.period ?? '');
  set('mine', filter.isMine ? 'yes' : '');
  for (const key of TEXTS) set(key, filter[key].trim());
  return next;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Returns when a period begins. Rounded to the minute, so that a page that is drawn again asks for the same. */
export function beginOf(period: Period, now: Date): Date {
  if (period === 'evening') return new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1, 18);
  const hours = period === 'day' ? 24 : 7 * 24;
  return new Date(Math.floor((now.getTime() - hours * HOUR_MS) / MINUTE_MS) * MINUTE_MS);
}

/** Returns the search as the server expects it. */
export function operatorSearch(filter: OperatorFilter, now: Date): HistorySearch {
  const { period, isMine, schema, name, error, reason } = filter;
  const given = (text: string): boolean => text.trim() !== '';
  return {
    ...searchOf(null, period === null ? filter : { ...filter, from: '', to: '' }),
    ...(period === null ? {} : { QueuedFrom: beginOf(period, now).toISOString() }),
    ...(isMine ? { Mine: true } : {}),
    ...(given(schema) ? { Schema: schema.trim() } : {}),
    ...(given(name) ? { Name: name.trim() } : {}),
    ...(given(error) ? { Error: error.trim() } : {}),
    ...(reason === '' ? {} : { Reason: reason }),
  };
}

/** Returns whether the filter leaves out any runs. */
export const isNarrowed = (filter: OperatorFilter): boolean =>
  Object.keys(operatorSearch(filter, new Date(0))).some((key) => key !== 'ActivityId');
