/** Groups notifications under the headings that the user chose. */
import type { Notification } from '#shared/contract/notifications.ts';
import { daysFrom, formatDay, relativeDay } from '#renderer/ui/format-date.ts';

export type Grouping = 'day' | 'activity';

export interface NoticeGroup {
  title: string;
  items: Notification[];
}

/** Notifications that say the same about the same: the newest, and all of them. */
export interface Repeated<T> {
  newest: T;
  all: readonly T[];
}

/** Combines notifications that say the same. `items` must be sorted newest first. */
export function combineRepeated<T extends { Name: string; Message: string; Category: number }>(
  items: readonly T[],
): Repeated<T>[] {
  const groups = Map.groupBy(items, ({ Name, Message, Category }) => JSON.stringify([Name, Message, Category]));
  return [...groups.values()].flatMap((all) => (all[0] ? [{ newest: all[0], all }] : []));
}

/** Returns the groups in the order of their newest notification. `items` must be sorted newest first. */
export function groupNotices(items: readonly Notification[], by: Grouping, now: Date = new Date()): NoticeGroup[] {
  const titleOf = by === 'activity' ? ({ ActivityName }: Notification) => ActivityName : dayTitle(now);
  const groups = Map.groupBy(items, titleOf);
  return [...groups].map(([title, found]) => ({ title, items: found }));
}

/** Returns 'Today', 'Yesterday', then the date. */
const dayTitle =
  (now: Date) =>
  ({ Time }: Notification): string =>
    daysFrom(Time, now) >= -1 ? relativeDay(Time, now) : formatDay(Time);
