import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import { DEFAULT_CHOICES, type NotificationChoices } from '#shared/contract/notification-choices.ts';
import type { NotificationList } from '#shared/contract/notifications.ts';
import { otherMessages } from './other-messages.ts';
import { ShownChoices, ShownList } from './shown-list.ts';

const Time = '2026-11-30T08:00:00.000Z';
const said = { Name: 'Close', Message: 'The run failed', Category: 3, Time };
const list: NotificationList = {
  Items: [],
  HasMore: false,
  Approvals: [{ ...said, ApprovalId: 3, IsWaiting: true }],
  Checklists: [],
  Alerts: [
    { ...said, NoticeId: 1, AlertFiringId: 11, IsOfOwnActivity: true },
    { ...said, NoticeId: 2, AlertFiringId: 12, IsOfOwnActivity: false },
  ],
  Access: [
    { ...said, Kind: 'Requested', Id: 5, ActivityId: 7, ActivityRunId: null, Note: '' },
    { ...said, Kind: 'Shared', Id: 6, ActivityId: 7, ActivityRunId: null, Note: '' },
  ],
  Succeeded: [],
  Count: 5,
  Unread: 5,
};

const wanted = (choices: NotificationChoices): string[] =>
  otherMessages(list, choices)
    .filter(({ isWanted }) => isWanted)
    .map(({ path }) => path);

test('the desktop shows what the user has chosen, each with its page', () => {
  expect(wanted(DEFAULT_CHOICES)).toEqual(['/alerts/firings/11', '/alerts/firings/12', '/approvals/3']);
  const off = { Portal: true, Mail: true, Desktop: false };
  const on = { ...off, Desktop: true };
  expect(
    wanted({
      ...DEFAULT_CHOICES,
      Activities: off,
      Alerts: { Desktop: true },
      Approvals: off,
      Shares: on,
      Requests: on,
    }),
  ).toEqual(['/alerts/firings/12', '/accessRequests', '/activities/7/']);
  const ids = otherMessages(list, DEFAULT_CHOICES).map(({ id }) => id);
  expect(new Set(ids).size).toBe(5);
});

test('answers of servers of other versions are read, too', () => {
  const { Succeeded: _later, Access: _too, Alerts, ...others } = list;
  const earlier = { ...others, Alerts: Alerts.map(({ IsOfOwnActivity: _alsoLater, ...alert }) => alert) };
  expect(Value.Check(ShownList, earlier)).toBe(true);
  const later = { ...list, Alerts: [{ ...Alerts[0], Urgency: 1 }], Mentions: [], Items: [] };
  expect(Value.Check(ShownList, later)).toBe(true);
  expect(Value.Check(ShownChoices, { ...DEFAULT_CHOICES, Mentions: { Desktop: true } })).toBe(true);
  expect(Value.Check(ShownList, { ...list, Alerts: [{ NoticeId: 1 }] })).toBe(false);
});
