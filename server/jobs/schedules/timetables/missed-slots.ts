/** Which moments start something, of those that have come since somebody looked last. */
import type { MissedRule } from '#shared/contract/timetables.ts';
import type { TimetableSlots } from './timetable-slots.ts';

export interface DueSlots {
  /** Oldest first. */
  starts: readonly Date[];
  /** The newest of those that are not made up for, and how many there are; null where there is none. */
  missed: { last: Date; count: number } | null;
}

export interface DueQuestion {
  /** The first one that nothing has become of yet. */
  from: Date;
  now: Date;
  /** Whether `from` was looked at in time, and has waited since for the run before it. */
  isWaiting: boolean;
  missed: MissedRule;
  /** Most with the rule All. */
  most: number;
  /** What was due for longer was missed. */
  lateMs: number;
}

/** More in one look at a time are not read: with one each minute these are hours. */
const MOST_READ = 500;

export function dueSlots(slots: TimetableSlots, question: DueQuestion): DueSlots {
  const { from, now, isWaiting, missed, most, lateMs } = question;
  const before = new Date(from.getTime() - 1);
  const due = slots.newest(before, now, MOST_READ);
  // One that waits counts even if the plan or the calendar has changed since.
  if (isWaiting && due[0]?.getTime() !== from.getTime()) due.unshift(from);
  const inTime = (slot: Date): boolean => now.getTime() - slot.getTime() <= lateMs;
  const isKept = keeper(due, missed, most, inTime);
  const starts = due.filter((slot) => isKept(slot) || (isWaiting && missed === 'None' && slot === due[0]));
  const passed = due.filter((slot) => !starts.includes(slot));
  const last = passed.at(-1);
  if (!last) return { starts, missed: null };
  const count = due.length < MOST_READ ? passed.length : slots.count(before, now) - starts.length;
  return { starts, missed: { last, count } };
}

function keeper(
  due: readonly Date[],
  missed: MissedRule,
  most: number,
  inTime: (slot: Date) => boolean,
): (slot: Date) => boolean {
  if (missed === 'None') return inTime;
  if (missed === 'Last') return due.some(inTime) ? inTime : (slot) => slot === due.at(-1);
  const made = new Set(due.filter((slot) => !inTime(slot)).slice(-most));
  return (slot) => inTime(slot) || made.has(slot);
}
