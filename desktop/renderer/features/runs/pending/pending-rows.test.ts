import { expect, test } from 'vitest';
import type { PendingApproval, PendingRun } from '#shared/contract/runs.ts';
import { canCancel, pendingKey, pendingPath, pendingRows } from './pending-rows.ts';

const shared = { Schema: 'Finance', QueueTime: '2026-01-05T10:00:00.000Z', UserFullName: 'Ada', CanCancel: true };
const run: PendingRun = { ...shared, Id: 7, ActivityId: 1, Name: 'Total', Status: 'Started', ChecklistName: null };
const approval: PendingApproval = {
  ...shared,
  ChecklistRunId: 7,
  Name: 'Release',
  Status: 'QueuedInSeq',
  ChecklistName: 'Close',
  WaitsFor: ['Controllers'],
};

test('runs come before approvals, and each leads to its own page', () => {
  const rows = pendingRows({ Items: [run], Approvals: [approval], MoreCount: 0 });
  expect(rows.map(pendingPath)).toEqual(['/activities/runstatus/7/', '/workflows/runstatus/7/']);
  expect(new Set(rows.map(pendingKey)).size).toBe(2);
});

test('a retry leads to the run that failed, and cannot be cancelled here', () => {
  const { CanCancel: _, QueueTime: __, ...facts } = shared;
  const retry = { ...facts, Kind: 'Activity', RunId: 7, Name: 'Total', Time: shared.QueueTime } as const;
  const [row] = pendingRows({ Items: [], Retries: [{ ...retry, Attempt: 2, RetryCount: 3 }], MoreCount: 0 });
  expect(row && [pendingPath(row), canCancel(row)]).toEqual(['/activities/runstatus/7/', false]);
  expect(row && pendingKey(row)).not.toBe(pendingKey(run));
});

test('an answer of an earlier version, without approvals, is shown', () => {
  expect(pendingRows({ Items: [run], MoreCount: 0 })).toEqual([run]);
});
