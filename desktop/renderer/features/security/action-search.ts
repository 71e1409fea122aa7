/** The search of the security action log, as in the address. */
import { SEARCH_MEANT_MAX, type SecurityActionSearch } from '#shared/contract/security.ts';
import { RIGHTS } from '#shared/contract/rights.ts';
import { plainRight } from './right-name.ts';
import { isIsoDay } from '#renderer/ui/date/iso-day.ts';
import { actionOptions, isSecurityAction } from './action-texts.ts';

/** Days are in the user's local time zone; the last day is included. */
export interface ActionFilter {
  action: string;
  from: string;
  to: string;
}

export const NO_FILTER: ActionFilter = { action: '', from: '', to: '' };
const NAMES = Object.keys(NO_FILTER) as (keyof ActionFilter)[];

export const filterOf = (params: URLSearchParams): ActionFilter => ({
  action: params.get('action') ?? '',
  from: params.get('from') ?? '',
  to: params.get('to') ?? '',
});

export function withFilter(params: URLSearchParams, change: Partial<ActionFilter>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const name of NAMES) {
    const value = change[name];
    if (value === '') next.delete(name);
    else if (value !== undefined) next.set(name, value);
  }
  return next;
}

/** Shorter words occur in nearly every name. */
const MIN_ACTION_LENGTH = 3;

/** Returns, for each word, the names of actions and rights whose plain names contain it; '' if no word matches any. */
function meantBy(words: string): string {
  const plainNames = [
    ...actionOptions().map(({ value, label }) => ({ name: value, plain: label.toLowerCase() })),
    ...Object.keys(RIGHTS).map((name) => ({ name, plain: plainRight(name).toLowerCase() })),
  ];
  const namesOf = (word: string): string =>
    word.length < MIN_ACTION_LENGTH
      ? ''
      : plainNames.flatMap(({ name, plain }) => (plain.includes(word) ? [name] : [])).join(',');
  const meant = words.trim().toLowerCase().split(/\s+/).map(namesOf);
  const text = meant.join(';');
  return meant.every((names) => names === '') || text.length > SEARCH_MEANT_MAX ? '' : text;
}

/** Invalid days and unknown actions are omitted. */
export function searchOf(words: string, { action, from, to }: ActionFilter): SecurityActionSearch {
  const meant = meantBy(words);
  return {
    ...(words.trim() === '' ? {} : { Search: words.trim() }),
    ...(meant === '' ? {} : { Meant: meant }),
    ...(isSecurityAction(action) ? { Action: action } : {}),
    ...(isIsoDay(from) ? { From: startOf(from, 0) } : {}),
    ...(isIsoDay(to) ? { Until: startOf(to, 1) } : {}),
  };
}

function startOf(day: string, later: number): string {
  const start = new Date(`${day}T00:00:00`);
  start.setDate(start.getDate() + later);
  return start.toISOString();
}
