/** Decides which of the occurrences since the last poll start something. */
import type { MissedRule } from '#shared/contract/additional-schedules.ts';
import type { Occurrences } from './occurrences.ts';

export interface DueOccurrences {
  /** Oldest first. */
  starts: readonly Date[];
  /** The newest occurrence that is not caught up, and the number of such occurrences; null if there are none. */
  missed: { last: Date; count: number } | null;
}

export interface DueQuestion {
  /** The first occurrence that has no outcome yet. */
  from: Date;
  now: Date;
  /** True if `from` was handled in time and has since been waiting for the previous run. */
  isWaiting: boolean;
  missed: MissedRule;
  /** Maximum number of occurrences to catch up with the rule All. */
  maxCaughtUp: number;
  /** An occurrence that has been due for longer than this was missed. */
  lateMs: number;
}

/** Maximum number of occurrences read per poll. With one per minute, this covers hours. */
const MAX_OCCURRENCES_PER_POLL = 500;

export function selectDueOccurrences(occurrences: Occurrences, question: DueQuestion): DueOccurrences {
  const { from, now, isWaiting, missed, maxCaughtUp, lateMs } = question;
  const before = new Date(from.getTime() - 1);
  const due = occurrences.newest(before, now, MAX_OCCURRENCES_PER_POLL);
  // A waiting occurrence counts even if the plan or the calendar has changed since.
  if (isWaiting && due[0]?.getTime() !== from.getTime()) due.unshift(from);
  const inTime = (occurrence: Date): boolean => now.getTime() - occurrence.getTime() <= lateMs;
  const shouldStart = keeper(due, missed, maxCaughtUp, inTime);
  const starts = due.filter(
    (occurrence) => shouldStart(occurrence) || (isWaiting && missed === 'None' && occurrence === due[0]),
  );
  const notStarted = due.filter((occurrence) => !starts.includes(occurrence));
  const last = notStarted.at(-1);
  if (!last) return { starts, missed: null };
  const count =
    due.length < MAX_OCCURRENCES_PER_POLL ? notStarted.length : occurrences.count(before, now) - starts.length;
  return { starts, missed: { last, count } };
}

function keeper(
  due: readonly Date[],
  missed: MissedRule,
  maxCaughtUp: number,
  inTime: (occurrence: Date) => boolean,
): (occurrence: Date) => boolean {
  if (missed === 'None') return inTime;
  if (missed === 'Last') return due.some(inTime) ? inTime : (occurrence) => occurrence === due.at(-1);
  const caughtUp = new Set(due.filter((occurrence) => !inTime(occurrence)).slice(-maxCaughtUp));
  return (occurrence) => inTime(occurrence) || caughtUp.has(occurrence);
}
