/** Checks the invariants of schedules after servers were killed around due occurrences. */
import type { Knex } from 'knex';
import { expect } from 'vitest';
import { hasSucceeded, type RunStatus } from '#shared/contract/run-status.ts';

export interface Attempt {
  ActivityRunId: number;
  SlotTime: Date;
  Attempt: number;
  RetryCount: number;
  SettledTime: Date | null;
  Status: RunStatus;
  EndTime: Date | null;
  RetryOf: number | null;
}

export async function attemptsOf(knex: Knex, activityId?: number): Promise<Attempt[]> {
  const query = knex('ScheduledRuns as S')
    .join('ActivityRuns as R', 'R.Id', 'S.ActivityRunId')
    .orderBy('S.ActivityRunId')
    .select('S.ActivityRunId', 'S.SlotTime', 'S.Attempt', 'S.RetryCount', 'S.SettledTime')
    .select('R.Status', 'R.EndTime', 'R.RetryOf');
  if (activityId !== undefined) void query.where('S.ActivityId', activityId);
  return (await query) as Attempt[];
}

export const mayBeRetried = ({ Status, Attempt: attempt, RetryCount }: Attempt): boolean =>
  !hasSucceeded(Status) && attempt < RetryCount;

/** Returns how the attempts ended, by occurrence. */
export async function checkSchedule(
  knex: Knex,
  activityId: number,
  { occurrences, mayEndAs }: { occurrences: readonly string[]; mayEndAs: readonly RunStatus[] },
): Promise<RunStatus[][]> {
  const attempts = await attemptsOf(knex, activityId);
  const runs = await knex('ActivityRuns').where('ActivityId', activityId).orderBy('Id').pluck('Id');
  // The schedule has not lost any run.
  expect(attempts.map(({ ActivityRunId }) => ActivityRunId)).toEqual(runs);
  const byOccurrence = Map.groupBy(attempts, ({ SlotTime }) => SlotTime.toISOString());
  expect([...byOccurrence.keys()].toSorted(), 'moments that were due').toEqual(occurrences.toSorted());
  for (const [occurrence, occurrenceAttempts] of byOccurrence) checkAttempts(occurrence, occurrenceAttempts, mayEndAs);
  return occurrences.map((occurrence) => byOccurrence.get(occurrence)!.map(({ Status }) => Status));
}

/**
 * Expects one run at the occurrence. Each retry belongs to the previous attempt, which failed. The last attempt
 * succeeded, or no retries are left.
 */
function checkAttempts(
  occurrence: string,
  occurrenceAttempts: readonly Attempt[],
  mayEndAs: readonly RunStatus[],
): void {
  const said = `${occurrence}: ${JSON.stringify(occurrenceAttempts)}`;
  expect(
    occurrenceAttempts.map(({ Attempt: attempt }) => attempt),
    said,
  ).toEqual(occurrenceAttempts.map((_, index) => index));
  for (const [index, attempt] of occurrenceAttempts.entries()) {
    expect(attempt.RetryOf, said).toBe(index === 0 ? null : occurrenceAttempts[index - 1]!.ActivityRunId);
    expect(mayEndAs, said).toContain(attempt.Status);
    expect(attempt.SettledTime, said).not.toBeNull();
    expect(mayBeRetried(attempt), said).toBe(index < occurrenceAttempts.length - 1);
  }
}
