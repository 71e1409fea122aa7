/** Groups notifications under the headings that the user chose. */
import type { Notification } from '#shared/contract/notifications.ts';
import { daysFrom, formatDay, relativeDay } from '#renderer/ui/format-date.ts';

export type Grouping = 'day' | 'activity';

export interface NoticeGroup {
  title: string;
  items: Notification[];
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
