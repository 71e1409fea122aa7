import { describe, expect, it } from 'vitest';
import { logKind, reasonEntry, visibleLog } from './log-view.ts';

const entry = (Id: number, Category: number, StatusCode: number) => ({
  Id,
  ActivityRunId: 1,
  Message: '',
  displayMessage: '',
  Category,
  StatusCode,
  Time: '2026-05-04T09:00:00Z',
});
const ids = (view: { entries: { Id: number }[] }): number[] => view.entries.map((item) => item.Id);

describe('the log of a run', () => {
  const log = [entry(1, 1, 0), entry(2, 3, 200), entry(3, 3, 10_000), entry(4, 2, 0)];
  it('shows only the errors a person can act on where there are any', () => {
    expect(ids(visibleLog(log, false))).toEqual([2]);
    expect(visibleLog(log, false).hasMore).toBe(true);
  });
  it('shows everything when all errors are asked for', () => {
    expect(ids(visibleLog(log, true))).toEqual([1, 2, 3, 4]);
  });
  it('shows everything, without a switch, where no error can be acted on', () => {
    expect(visibleLog([log[0]!, log[2]!], false)).toEqual({ entries: [log[0], log[2]], hasMore: false });
  });
  it('names categories below 1 information and above 3 errors', () => {
    expect([0, 1, 2, 3, 7].map((category) => logKind(entry(1, category, 0)))).toEqual([
      'Information',
      'Information',
      'Warning',
      'Error',
      'Error',
    ]);
  });
  it('has a reason: an error a person can act on, else the first error, else the first warning', () => {
    expect(reasonEntry([entry(1, 2, 0), entry(2, 3, 10_000), entry(3, 3, 5)])?.Id).toBe(3);
    expect(reasonEntry([entry(1, 2, 0), entry(2, 3, 10_000)])?.Id).toBe(2);
    expect(reasonEntry([entry(1, 1, 0), entry(2, 2, 0)])?.Id).toBe(2);
    expect(reasonEntry([entry(1, 1, 0)])).toBeNull();
  });
});
