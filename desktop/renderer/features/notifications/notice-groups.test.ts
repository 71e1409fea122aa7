import { expect, test } from 'vitest';
import type { Notification } from '#shared/contract/notifications.ts';
import { combineRepeated, groupNotices } from './notice-groups.ts';

const now = new Date('2026-11-23T12:00:00');
const notice = (ActivityRunId: number, ActivityName: string, day: string): Notification => ({
  ActivityRunId,
  ActivityName,
  LogEntryId: 0,
  Message: '',
  Category: 1,
  Time: new Date(`${day}T10:00:00`).toISOString(),
  IsRead: false,
});
const items = [
  notice(9, 'Close', '2026-11-23'),
  notice(8, 'Report', '2026-11-22'),
  notice(7, 'Close', '2026-11-22'),
  notice(6, 'Report', '2026-11-03'),
];
const numbers = (by: 'day' | 'activity') =>
  groupNotices(items, by, now).map(({ title, items: found }) => [title, ...found.map((item) => item.ActivityRunId)]);

test('notifications stand under their day', () => {
  expect(numbers('day')).toEqual([
    ['Today', 9],
    ['Yesterday', 8, 7],
    ['3/Nov/2026', 6],
  ]);
});

test('or under what ran, the newest first', () => {
  expect(numbers('activity')).toEqual([
    ['Close', 9, 7],
    ['Report', 8, 6],
  ]);
});

test('notifications that say the same are one line, with the newest first', () => {
  const said = (Name: string, Message: string, at: number) => ({ Name, Message, Category: 3, at });
  const combined = combineRepeated([
    said('Close', 'The run failed', 4),
    said('Close', 'Cell B2: #DIV/0!', 3),
    said('Close', 'The run failed', 2),
    said('Report', 'The run failed', 1),
  ]);
  expect(combined.map(({ newest, all }) => [newest.at, all.length])).toEqual([
    [4, 2],
    [3, 1],
    [1, 1],
  ]);
});
