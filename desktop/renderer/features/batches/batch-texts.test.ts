import { expect, it } from 'vitest';
import type { Batch, CheckedBatch } from '#shared/contract/batches.ts';
import { checkedText, countsText, isAsked } from './batch-texts.ts';

const batch: Batch = {
  Id: 1,
  FileName: 'rows.csv',
  Time: '2026-03-05T12:00:00.000Z',
  UserFullName: 'A B',
  RunId: 2,
  RowCount: 5000,
  BadCount: 0,
  SuccessfulChildRuns: 3645,
  WarnedChildRuns: 0,
  FailedChildRuns: 1355,
  CancelledChildRuns: 1355,
  RunningChildRuns: 0,
};
const checked: CheckedBatch = {
  Id: 1,
  FileName: 'rows.csv',
  RowCount: 3,
  BadCount: 0,
  Issues: [],
  IssueCount: 0,
  HeaderIssueCount: 0,
  Readings: null,
};

it('cancelled rows do not count as failed, and warnings are shown', () => {
  expect(countsText(batch)).toBe('3,645 of 5,000 succeeded, 1,355 cancelled');
  const mixed = { ...batch, WarnedChildRuns: 2, CancelledChildRuns: 1300, SuccessfulChildRuns: 3000 };
  expect(countsText({ ...mixed, RunningChildRuns: 645 })).toBe(
    '3,000 of 5,000 succeeded, 2 of them with warnings, 55 failed, 1,300 cancelled, 645 remaining',
  );
});

it('problems of a whole sheet do not count as cells of its rows', () => {
  expect(checkedText(checked)).toBe('rows.csv: 3 rows, and all cells are valid.');
  expect(checkedText({ ...checked, BadCount: 1, IssueCount: 2 })).toBe(
    'rows.csv: 2 cells are not valid, in 1 of 3 rows. Correct the file and upload it again, or start only the valid rows.',
  );
  expect(checkedText({ ...checked, RowCount: 0, IssueCount: 2, HeaderIssueCount: 2 })).toBe(
    'rows.csv: no row can be used, because the headers have 2 problems. Correct the file and upload it again.',
  );
  expect(checkedText({ ...checked, RowCount: 0, IssueCount: 1 })).toBe(
    'rows.csv has no rows. Correct the file and upload it again.',
  );
});

it('many rows are not cancelled or run again without a question', () => {
  expect([1, 19, 20, 5000].map(isAsked)).toEqual([false, false, true, true]);
});
