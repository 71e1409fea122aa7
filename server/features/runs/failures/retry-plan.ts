/** Plans retries of many runs, so that a person knows what will happen before anything is started. */
import type { Person } from '#server/base/person.ts';
import { deadlineIn } from '#server/db/time-limit.ts';
import type { ActivityScopes } from '#server/access/activity-scopes.ts';
import { whereRunVisible } from '#server/access/find-run.ts';
import { isInScope } from '#server/access/rights/right-scope.ts';
import { effectsOf } from '#server/versions/triable.ts';
import type { BodyOf } from '#shared/contract/endpoint.ts';
import { FAILURES_MAX, RETRIED_MAX, type planRetries, type RetryPlan } from '#shared/contract/run-failures.ts';
import { hasSucceeded, isPending } from '#shared/contract/run-status.ts';
import { inTime, openSearch, PAGE_TIME_LIMIT_MS, type HistoryDeps } from '../history-service.ts';
import { listFailures, listRunsToRetry, type FailureRow } from './failures-repository.ts';

export interface RetryPlanService {
  plan(person: Person, wanted: BodyOf<typeof planRetries>): Promise<RetryPlan>;
}

export function createRetryPlanService(deps: HistoryDeps): RetryPlanService {
  return {
    plan: async (person, wanted) => {
      const scopes = await deps.activityAccess.scopes(person);
      const rows = await wantedRuns(deps, person, scopes, wanted);
      const sorted = Map.groupBy(rows, (row) => kindOf(row, scopes));
      const count = (kind: Kind): number => sorted.get(kind)?.length ?? 0;
      const retryable = sorted.get('Retryable') ?? [];
      const runs = retryable.slice(0, RETRIED_MAX);
      return {
        Runs: runs.map(({ Id, Name, QueueTime }) => ({ Id, Name, QueueTime: QueueTime.toISOString() })),
        MoreCount: retryable.length - runs.length,
        Retried: count('Retried'),
        Steps: count('Step'),
        NotAllowed: count('NotAllowed'),
        NotFailed: count('NotFailed'),
        Effects: await listEffects(deps, runs),
      };
    },
  };
}

type Kind = 'Retryable' | 'Retried' | 'Step' | 'NotAllowed' | 'NotFailed';

function kindOf({ Status, IsRetried, IsStep, IsActive, ActivityId, Schema }: FailureRow, scopes: ActivityScopes): Kind {
  if (isPending(Status) || hasSucceeded(Status)) return 'NotFailed';
  if (IsRetried === 1) return 'Retried';
  if (IsStep === 1) return 'Step';
  return IsActive && isInScope(scopes.run, { Id: ActivityId, Schema }) ? 'Retryable' : 'NotAllowed';
}

/** Oldest first. Runs that the person may not see are as good as missing. */
async function wantedRuns(
  deps: HistoryDeps,
  person: Person,
  scopes: ActivityScopes,
  { Search, Ids }: BodyOf<typeof planRetries>,
): Promise<FailureRow[]> {
  const { knex } = deps.database;
  if (Ids) {
    const visible = knex('ActivityRuns as R').join('Activities as A', 'A.Id', 'R.ActivityId');
    whereRunVisible(visible, scopes, person.UserId);
    return listRunsToRetry(knex, visible, Ids);
  }
  if (Search?.Reason === undefined) return [];
  const { found } = await openSearch(deps, person, Search);
  const deadline = deadlineIn(deps.timeLimit ?? PAGE_TIME_LIMIT_MS);
  return (await inTime(() => listFailures(knex, found(), FAILURES_MAX, deadline))).reverse();
}

async function listEffects({ versions }: HistoryDeps, runs: readonly FailureRow[]): Promise<RetryPlan['Effects']> {
  const effects = new Map<number, RetryPlan['Effects'][number]>();
  const used = new Map(runs.map((run) => [`${run.ActivityId} ${run.ActivityVersion}`, run]));
  for (const { ActivityId, ActivityVersion, Name } of used.values()) {
    const version = await versions.get(ActivityId, ActivityVersion);
    const known = effects.get(ActivityId)?.Kinds ?? [];
    const Kinds = [...new Set([...known, ...(version ? effectsOf(version.definition) : [])])];
    if (Kinds.length > 0) effects.set(ActivityId, { ActivityId, Name, Kinds });
  }
  return [...effects.values()].sort((a, b) => (a.Name < b.Name ? -1 : 1));
}
