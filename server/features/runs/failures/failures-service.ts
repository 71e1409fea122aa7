/** Failed runs, grouped by reason. Reasons come from the stored logs, so old runs are grouped like new ones. */
import type { Person } from '#server/base/person.ts';
import { createConcurrencyLimit } from '#server/background/concurrency-limit.ts';
import { deadlineIn } from '#server/db/time-limit.ts';
import type { HistorySearch } from '#shared/contract/run-history.ts';
import { FAILURE_GROUPS_MAX, FAILURES_MAX, type FailureGroups } from '#shared/contract/run-failures.ts';
import { inTime, openSearch, PAGE_TIME_LIMIT_MS, type HistoryDeps } from '../history-service.ts';
import { groupsOf } from './failure-groups.ts';
import { listFailures } from './failures-repository.ts';

export interface FailuresService {
  groups(person: Person, search: HistorySearch): Promise<FailureGroups>;
}

/** Maximum number of concurrent groupings, because each may read the logs of thousands of runs. */
const GROUPING_CONCURRENCY = 2;

export function createFailuresService(deps: HistoryDeps): FailuresService {
  const grouping = createConcurrencyLimit(GROUPING_CONCURRENCY);
  return {
    groups: async (person, search) => {
      const { found } = await openSearch(deps, person, search);
      const deadline = deadlineIn(deps.timeLimit ?? PAGE_TIME_LIMIT_MS);
      const rows = await grouping(() =>
        inTime(() => listFailures(deps.database.knex, found(), FAILURES_MAX + 1, deadline)),
      );
      const failures = rows.slice(0, FAILURES_MAX);
      const groups = groupsOf(failures);
      return {
        Groups: groups.slice(0, FAILURE_GROUPS_MAX),
        Failures: failures.length,
        Reasons: groups.length,
        IsPartial: rows.length > failures.length,
      };
    },
  };
}
