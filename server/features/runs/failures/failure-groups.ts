import { GROUP_ACTIVITIES_MAX, type FailureGroup } from '#shared/contract/run-failures.ts';
import { reasonKey } from './failure-reason.ts';
import type { FailureRow } from './failures-repository.ts';

/** Groups failures, which are sorted newest first. The most frequent reason comes first. */
export function groupsOf(failures: readonly FailureRow[]): FailureGroup[] {
  const byReason = Map.groupBy(failures, createKeyOf());
  const groups = [...byReason].map(([Key, rows]) => groupOf(Key, rows));
  return groups.sort((a, b) => b.Count - a.Count || b.LastRunId - a.LastRunId);
}

/** Returns a function that computes the key of a reason. Equal messages, which are frequent, are read only once. */
export function createKeyOf(): (failure: FailureRow) => string {
  const known = new Map<string, string>();
  return (failure) => {
    const { ActivityId, Status, StatusCode, Message } = failure;
    const same = `${ActivityId} ${Status} ${StatusCode ?? ''} ${Message ?? ''}`;
    const key = known.get(same) ?? reasonKey(failure);
    known.set(same, key);
    return key;
  };
}

function groupOf(Key: string, rows: readonly FailureRow[]): FailureGroup {
  const newest = rows[0]!;
  const names = new Map(rows.map(({ ActivityId, Name }) => [ActivityId, Name]));
  const activities = [...names].sort(([, a], [, b]) => (a < b ? -1 : 1));
  return {
    Key,
    Status: newest.Status,
    Text: newest.Message ?? '',
    IsVaried: rows.some(({ Message }) => Message !== newest.Message),
    Count: rows.length,
    NotRetried: rows.filter(({ IsRetried }) => IsRetried === 0).length,
    Activities: activities.slice(0, GROUP_ACTIVITIES_MAX).map(([Id, Name]) => ({ Id, Name })),
    ActivityCount: activities.length,
    FirstTime: rows.at(-1)!.QueueTime.toISOString(),
    LastTime: newest.QueueTime.toISOString(),
    LastRunId: newest.Id,
  };
}
