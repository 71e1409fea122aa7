/** Notifications under the headings that a person chose. */
import type { Notification } from '#shared/contract/notifications.ts';
import { daysFrom, formatDay, relativeDay } from '#renderer/ui/format-date.ts';

export type Grouping = 'day' | 'activity';

export interface NoticeGroup {
  title: string;
  items: Notification[];
}

/** The groups in the order of their newest notification; those come newest first. */
export function groupNotices(items: readonly Notification[], by: Grouping, now: Date = new Date()): NoticeGroup[] {
  const titleOf = by === 'activity' ? ({ ActivityName }: Notification) => ActivityName : dayTitle(now);
  const groups = Map.groupBy(items, titleOf);
  return [...groups].map(([title, found]) => ({ title, items: found }));
}

/** 'Today', 'Yesterday', then the day itself. */
const dayTitle =
  (now: Date) =>
  ({ Time }: Notification): string =>
    daysFrom(Time, now) >= -1 ? relativeDay(Time, now) : formatDay(Time);
