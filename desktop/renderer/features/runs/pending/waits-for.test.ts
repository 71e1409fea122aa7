import { expect, test } from 'vitest';
import type { PendingRun } from '#shared/contract/runs.ts';
import { formatDayTime } from '#renderer/ui/format-date.ts';
import { waitsForText } from './waits-for.ts';

const time = '2026-01-05T12:00:00.000Z';
const shared = { Schema: 'Finance', QueueTime: time, UserFullName: 'Ada', CanCancel: true };
const run: PendingRun = { ...shared, Id: 7, ActivityId: 1, Name: 'Total', Status: 'Queued', ChecklistName: null };
const approval = {
  ...shared,
  ChecklistRunId: 7,
  Name: 'Release',
  Status: 'QueuedInSeq' as const,
  ChecklistName: 'Close',
  WaitsFor: ['Controllers', 'Bo'],
};
const at = formatDayTime(time);

test.each([
  [run, 'A server with capacity'],
  [{ ...run, Status: 'QueuedInSeq' as const }, 'Earlier runs of the activity'],
  [{ ...run, Status: 'Started' as const }, ''],
  [{ ...run, Status: 'Started' as const, AnswerUntil: time }, `Answer by Ada until ${at}`],
  [approval, 'Approval by Controllers, Bo'],
  [{ ...approval, ExpiryTime: time, OnExpiry: 'Fail' as const }, `Approval by Controllers, Bo; expires on ${at}`],
  [
    { ...approval, ExpiryTime: time, OnExpiry: 'Approve' as const },
    `Approval by Controllers, Bo; approved automatically on ${at}`,
  ],
  [
    {
      Kind: 'Activity' as const,
      RunId: 3,
      Schema: 'Finance',
      Name: 'Total',
      UserFullName: 'Ada',
      Time: time,
      Attempt: 2,
      RetryCount: 3,
    },
    `Retry 2 of 3 at ${at}`,
  ],
])('it says what a run waits for: %o', (row, text) => {
  expect(waitsForText(row)).toBe(text);
});
