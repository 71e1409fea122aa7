/** The runs of a day by activity, for a timeline. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { deadlineIn, rowsBy } from '#server/db/time-limit.ts';
import type { ResultOf } from '#shared/contract/endpoint.ts';
import type { HistorySearch } from '#shared/contract/run-history.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import { TIMELINE_HOURS_MAX, TIMELINE_RUNS_MAX, type runTimeline } from '#shared/contract/run-timeline.ts';
import { inTime, openSearch, PAGE_TIME_LIMIT_MS, type HistoryDeps } from './history-service.ts';

export interface TimelineService {
  read(person: Person, search: HistorySearch): Promise<ResultOf<typeof runTimeline>>;
}

interface BarRow {
  Id: number;
  ActivityId: number;
  Name: string;
  Schema: string;
  Status: RunStatus;
  QueueTime: Date;
  StartTime: Date | null;
  EndTime: Date | null;
}

const COLUMNS = ['R.Id', 'R.ActivityId', 'A.Name', 'A.Schema', 'R.Status', 'R.QueueTime', 'R.StartTime', 'R.EndTime'];
const HOUR_MS = 3_600_000;

export function createTimelineService(deps: HistoryDeps): TimelineService {
  return {
    read: async (person, search) => {
      requireOneDay(search);
      const { found } = await openSearch(deps, person, search);
      const query = found()
        .whereNot('R.Status', 'NotRunToday')
        .orderBy('R.Id', 'desc')
        .limit(TIMELINE_RUNS_MAX + 1)
        .select(COLUMNS);
      const deadline = deadlineIn(deps.timeLimit ?? PAGE_TIME_LIMIT_MS);
      const bars = await inTime(() => rowsBy<BarRow>(query, deadline));
      const IsPartial = bars.length > TIMELINE_RUNS_MAX;
      return { Rows: rowsOf(bars.slice(0, TIMELINE_RUNS_MAX)), IsPartial };
    },
  };
}

/** Throws an AppError 400. */
function requireOneDay({ QueuedFrom, QueuedBefore }: HistorySearch): void {
  const length = Date.parse(QueuedBefore ?? '') - Date.parse(QueuedFrom ?? '');
  if (length > 0 && length <= TIMELINE_HOURS_MAX * HOUR_MS) return;
  throw new AppError('timelinePeriodInvalid', 400, 'A timeline shows a period of at most one day');
}

function rowsOf(bars: readonly BarRow[]): ResultOf<typeof runTimeline>['Rows'] {
  const time = (date: Date | null): string | null => date?.toISOString() ?? null;
  const byActivity = Map.groupBy(bars.toReversed(), ({ ActivityId }) => ActivityId);
  return [...byActivity].map(([ActivityId, runs]) => ({
    ActivityId,
    Name: runs[0]!.Name,
    Schema: runs[0]!.Schema,
    Runs: runs.map(({ Id, Status, QueueTime, StartTime, EndTime }) => ({
      Id,
      Status,
      QueueTime: QueueTime.toISOString(),
      StartTime: time(StartTime),
      EndTime: time(EndTime),
    })),
  }));
}
