/** The search of a history, as in the address: '?status=Failed&by=ada&from=2026-05-01&v=i12>=:5'. */
import { hasDay } from '#shared/codecs/date-format.ts';
import { editDate } from '#shared/codecs/date-text.ts';
import { isFileUsage } from '#shared/codecs/input-form.ts';
import { fromSerial } from '#shared/codecs/serial-date.ts';
import type { CellUsage } from '#shared/contract/parameters.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import {
  VALUE_OPERATORS,
  type History,
  type HistorySearch,
  type ValueCondition,
  type ValueOperator,
} from '#shared/contract/run-history.ts';
import { canCompare } from '#shared/rules/value-condition-rules.ts';
import { t } from '#renderer/language/translate.ts';
import { editedNumber } from '#renderer/language/typed-numbers.ts';
import { readStatuses, writeStatuses } from './status-filter.ts';

export interface HistoryFilter {
  statuses: RunStatus[];
  /** Part of a user's name; '' for everyone. */
  by: string;
  /** First and last day, 'YYYY-MM-DD' in the user's time zone; '' for no bound. */
  from: string;
  to: string;
  values: ValueCondition[];
}

/** Changes the search; the search form is filled in with the result. */
export type ChangeFilter = (to: (filter: HistoryFilter) => HistoryFilter) => void;

const VALUE = /^([io])(\d{1,15})(=|<>|begins|contains|between|empty|filled|<=|<|>=|>)(d?):(.*)$/s;

export function readFilter(query: URLSearchParams): HistoryFilter {
  return {
    statuses: readStatuses(query),
    by: (query.get('by') ?? '').slice(0, 100),
    from: readDay(query.get('from')),
    to: readDay(query.get('to')),
    values: query.getAll('v').flatMap(readValue).slice(0, 10),
  };
}

/** Returns the address with this filter; its other parameters stay. */
export function writeFilter(query: URLSearchParams, filter: HistoryFilter): URLSearchParams {
  const next = writeStatuses(query, filter.statuses);
  for (const key of ['by', 'from', 'to'] as const) {
    if (filter[key] === '') next.delete(key);
    else next.set(key, filter[key]);
  }
  next.delete('v');
  for (const condition of filter.values) next.append('v', writeValue(condition));
  return next;
}

function writeValue({ Direction, ActivityParameterId, Operator, Value, To, Days }: ValueCondition): string {
  const of = `${Direction === 'input' ? 'i' : 'o'}${ActivityParameterId}${Operator}${Days ? 'd' : ''}`;
  const value = Value === undefined ? '' : JSON.stringify(To === undefined ? Value : [Value, To]);
  return `${of}:${value}`;
}

function readDay(text: string | null): string {
  return text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';
}

function readValue(text: string): ValueCondition[] {
  const [, direction, id, operator, days, json = ''] = VALUE.exec(text) ?? [];
  const Operator = VALUE_OPERATORS.find((each) => each === operator);
  if (!Operator) return [];
  const read = json === '' ? undefined : parsed(json);
  const [Value, To] = Operator === 'between' && Array.isArray(read) ? (read as unknown[]) : [read];
  if ((Value !== undefined && !isValue(Value)) || (To !== undefined && typeof To !== 'number')) return [];
  const condition: ValueCondition = {
    Direction: direction === 'i' ? 'input' : 'output',
    ActivityParameterId: Number(id),
    Operator,
    ...(Value === undefined ? {} : { Value }),
    ...(To === undefined ? {} : { To }),
    ...(days === 'd' ? { Days: true } : {}),
  };
  return canCompare(condition) ? [condition] : [];
}

function isValue(value: unknown): value is NonNullable<ValueCondition['Value']> {
  if (typeof value === 'string') return value !== '' && value.length <= 100;
  return typeof value === 'number' || typeof value === 'boolean';
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

/** A time is a time of day or a duration. */
export type ValueKind = 'number' | 'date' | 'time' | 'text' | 'boolean';

const BY_SIZE = ['=', '<>', '<', '<=', '>', '>=', 'between', 'filled', 'empty'] as const;
/** Operators for each kind of value, most likely first. */
export const OPERATORS: Record<ValueKind, readonly ValueOperator[]> = {
  number: BY_SIZE,
  date: BY_SIZE,
  time: BY_SIZE,
  text: ['contains', 'begins', '=', '<>', 'filled', 'empty'],
  boolean: ['=', '<>', 'filled', 'empty'],
};

/** An input or output whose values can be searched: single values, and files by name. */
export interface SearchedParameter {
  direction: ValueCondition['Direction'];
  id: number;
  name: string;
  kind: ValueKind;
  /** Excel's number format. */
  format: string;
}

function kindOf(usage: CellUsage | undefined, format: string): ValueKind {
  if (usage === 'Date') return hasDay(format) ? 'date' : 'time';
  return usage === 'Number' ? 'number' : usage === 'Boolean' ? 'boolean' : 'text';
}

export function searchedParameters(activity: History['Activity']): SearchedParameter[] {
  const of = (
    direction: SearchedParameter['direction'],
    list: NonNullable<History['Activity']>['Inputs' | 'Outputs'],
  ) =>
    list.flatMap(({ Id, Name, Info }): SearchedParameter[] => {
      const usage = Info.CellUsages[0];
      if (isFileUsage(usage)) return [{ direction, id: Id, name: Name, kind: 'text', format: 'General' }];
      if (Info.RangeType !== 'SingleCell') return [];
      const format = Info.Formats[0] ?? 'General';
      return [{ direction, id: Id, name: Name, kind: kindOf(usage, format), format }];
    });
  return activity ? [...of('input', activity.Inputs), ...of('output', activity.Outputs)] : [];
}

/** Returns the number of conditions other than the statuses, which have a separate button. */
export const conditionCount = ({ by, from, to, values }: HistoryFilter): number =>
  Number(by !== '') + Number(from !== '' || to !== '') + values.length;

/** Returns the title of the search panel. */
export function searchTitle(filter: HistoryFilter): string {
  const count = conditionCount(filter);
  return count === 0 ? t('Search') : t('Search ({count})', { count });
}

/** Returns the search as the server expects it: days become their start times in the local time zone. */
export function searchOf(ActivityId: number | null, filter: HistoryFilter): HistorySearch {
  const { statuses, by, from, to, values } = filter;
  return {
    ActivityId,
    ...(statuses.length > 0 ? { Statuses: statuses } : {}),
    ...(by.trim() === '' ? {} : { RunBy: by.trim() }),
    ...(from === '' ? {} : { QueuedFrom: startOfDay(from, 0) }),
    ...(to === '' ? {} : { QueuedBefore: startOfDay(to, 1) }),
    ...(values.length > 0 && ActivityId !== null ? { Values: values } : {}),
  };
}

function startOfDay(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

const two = (value: number): string => String(value).padStart(2, '0');

export type ValueSort = Pick<SearchedParameter, 'kind' | 'format'>;

/** Returns the value of a condition as text for editing; days as 'YYYY-MM-DD'. */
export function valueText({ kind, format }: ValueSort, value: ValueCondition['Value']): string {
  if (value === undefined) return '';
  if (kind === 'time' && typeof value === 'number') return editDate(value, format);
  if (kind === 'number' && typeof value === 'number') return editedNumber(value);
  if (kind !== 'date' || typeof value !== 'number') return String(value);
  const parts = fromSerial(value);
  return parts ? `${parts.year}-${two(parts.month)}-${two(parts.day)}` : String(value);
}
