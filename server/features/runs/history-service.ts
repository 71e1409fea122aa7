/** Past runs: one page at a time, or all search results as a workbook. */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { deadlineIn, TimeLimitError, type Deadline } from '#server/db/time-limit.ts';
import type { ActivityAccess, VisibleActivity } from '#server/access/activity-access.ts';
import type { ActivityVersion, VersionCatalog } from '#server/versions/version-catalog.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { LinksService } from '#server/features/links/links-service.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type { Person } from '#server/base/person.ts';
import { createConcurrencyLimit } from '#server/background/concurrency-limit.ts';
import { isFileUsage } from '#shared/codecs/input-form.ts';
import type { HomeRun } from '#shared/contract/activity-home.ts';
import type { ResultOf } from '#shared/contract/endpoint.ts';
import {
  HISTORY_EXPORT_MAX,
  type exportHistory,
  type History,
  type HistoryQuery,
  type HistoryRun,
  type HistorySearch,
  type HistorySort,
  type HistorySummary,
} from '#shared/contract/run-history.ts';
import {
  candidatesOf,
  listActivityHistory,
  listHistory,
  listHistoryValues,
  listRecentRuns,
  type HistoryFilter,
  type HistoryRow,
} from './history-repository.ts';
import { FAILURES_MAX } from '#shared/contract/run-failures.ts';
import { PROBLEM_STATUSES, type RunStatus } from '#shared/contract/run-status.ts';
import { createKeyOf } from './failures/failure-groups.ts';
import { listFailures, listReasons } from './failures/failures-repository.ts';
import { narrow, narrowsRuns, runConditions, type RunConditions } from './history-search.ts';
import { isOfLacking } from './history-values.ts';
import { listSortedHistory, sortKeyOf, type SortKey } from './history-sort.ts';
import { readSummary } from './history-summary.ts';
import { historyWorkbook } from '#server/sheets/history-workbook.ts';
import { whereIds } from '#server/db/where-ids.ts';
import { ON_ACTIVITY, whereVisible, type ActivityScopes } from '#server/access/activity-scopes.ts';
import { whereInScope } from '#server/access/rights/right-scope.ts';
import { findLastRunId } from './runs-repository.ts';
import { historyRun, homeRun } from './run-views.ts';

export interface HistoryService {
  page(person: Person, query: HistoryQuery): Promise<History>;
  /** Returns the newest runs of an activity that the person may see, without their values. */
  recent(person: Person, visible: Pick<VisibleActivity, 'activity' | 'CanViewRuns'>, limit: number): Promise<HomeRun[]>;
  /** Writes the search results to a new file, one page of runs at a time. */
  export(person: Person, search: HistorySearch): Promise<ResultOf<typeof exportHistory>>;
  /** Summarizes all search results. */
  summary(person: Person, search: HistorySearch): Promise<HistorySummary>;
}

export interface HistoryDeps {
  database: Database;
  activityAccess: ActivityAccess;
  versions: VersionCatalog;
  files: FilesService;
  links: Pick<LinksService, 'nameOf'>;
  rights: Pick<RightsService, 'has'>;
  /** Time limit for finding the runs of a page, in milliseconds. */
  timeLimit?: number;
}

/** The same limit as for the values of a picker. */
export const PAGE_TIME_LIMIT_MS = 20_000;
const EXPORT_PAGE = 200;
/** Maximum number of concurrent exports. Further ones wait. */
const EXPORT_CONCURRENCY = 2;
/** Maximum number of concurrent summaries, because each may read all runs. */
const SUMMARY_CONCURRENCY = 2;

export function createHistoryService(deps: HistoryDeps): HistoryService {
  const exporting = createConcurrencyLimit(EXPORT_CONCURRENCY);
  const summing = createConcurrencyLimit(SUMMARY_CONCURRENCY);
  return {
    recent: async (person, { activity, CanViewRuns }, limit) => {
      const onlyOf = CanViewRuns ? undefined : person.UserId;
      return (await listRecentRuns(deps.database.knex, activity.Id, onlyOf, limit)).map(homeRun);
    },
    export: async (person, query) => {
      const search = await openSearch(deps, person, query);
      return exporting(() => exportRuns(deps.files, person, search));
    },
    summary: async (person, query) => {
      const search = await openSearch(deps, person, query);
      return summing(() => search.summary());
    },
    page: async (person, query) => {
      const search = await openSearch(deps, person, query);
      const { rows, runs } = await search.read(query.PrevRunId || null, query.ApproxRows);
      const HasMore = rows.length > query.ApproxRows;
      const { subject, LinkName } = search;
      if (!subject) return { Runs: runs, HasMore, LinkName, Activity: null };
      // An empty page needs no query for values, so this one keeps the total at three.
      const LastRunId =
        rows[0]?.LastRunId ?? (await findLastRunId(deps.database.knex, subject.activity.Id, search.onlyOf));
      return { Runs: runs, HasMore, LinkName, Activity: { ...activityView(subject), LastRunId } };
    },
  };
}

async function exportRuns(
  files: FilesService,
  person: Person,
  search: OpenSearch,
): Promise<ResultOf<typeof exportHistory>> {
  const activity = search.subject && activityView(search.subject);
  const result = { Rows: 0, HasMore: false };
  async function* pages(): AsyncGenerator<HistoryRun[]> {
    for (let before: number | null = null; ;) {
      const { rows, runs } = await search.read(before, Math.min(EXPORT_PAGE, HISTORY_EXPORT_MAX - result.Rows));
      result.Rows += runs.length;
      result.HasMore = rows.length > runs.length;
      yield runs;
      if (!result.HasMore || result.Rows >= HISTORY_EXPORT_MAX) return;
      before = runs.at(-1)!.Id;
    }
  }
  const name = activity ? `${activity.Name} history.xlsx` : 'Activity history.xlsx';
  const Token = await files.tokenForNew(person, name, historyWorkbook(activity, pages()));
  return { Token, ...result };
}

/** The activity that the runs belong to, with its newest version. */
interface Subject extends VisibleActivity {
  version: ActivityVersion;
  CanPurge: boolean;
}

export interface OpenSearch {
  /** Null if the history covers all activities. */
  subject: Subject | null;
  LinkName: string | null;
  /** Only this user's runs may be seen; undefined for all. */
  onlyOf: number | undefined;
  /** Returns up to `size` runs before the given run id. `rows` has one more if there are more. */
  read(before: number | null, size: number): Promise<{ rows: HistoryRow[]; runs: HistoryRun[] }>;
  summary(): Promise<HistorySummary>;
  /** Builds a query of all search results, from ActivityRuns as R and Activities as A. It selects nothing yet. */
  found: () => Knex.QueryBuilder;
}

/** Reads the activity, then the runs and their values: at most three queries per page, however many runs there are. */
export async function openSearch(deps: HistoryDeps, person: Person, search: HistorySearch): Promise<OpenSearch> {
  const { activityAccess, versions, links, rights, timeLimit = PAGE_TIME_LIMIT_MS } = deps;
  const { knex } = deps.database;
  const { ActivityId = null, LinkId } = search;
  const visible = ActivityId === null ? null : await activityAccess.require(knex, person, ActivityId);
  const scopes = ActivityId === null ? await activityAccess.scopes(person) : null;
  const others = scopes && (await activitiesWithVisibleRuns(knex, scopes));
  const LinkName = LinkId ? await links.nameOf(LinkId, ActivityId) : null;
  const onlyOf = visible?.CanViewRuns === false ? person.UserId : undefined;
  const subject = visible && {
    ...visible,
    version: await newestVersion(versions, visible),
    CanPurge: await rights.has(person, 'sk.PurgeRuns', keysOf(visible.activity)),
  };
  const candidates = scopes ? visibleRuns(scopes, others, person) : runsOf(ActivityId!, onlyOf);
  const foundBy = (conditions: RunConditions): Knex.QueryBuilder => {
    const query = knex('ActivityRuns as R').join('Activities as A', 'A.Id', 'R.ActivityId');
    candidates(query);
    narrow(query, knex, 'R', conditions);
    return query;
  };
  const conditions = await withReason(knex, search, foundBy, {
    conditions: await runConditions(knex, search.Mine ? { ...search, UserIds: [person.UserId] } : search),
    deadline: deadlineIn(timeLimit),
  });
  const sorting = search.Sort && sortingOf(search.Sort, subject?.version ?? null);
  const list = (filter: HistoryFilter): Promise<HistoryRow[]> => {
    if (sorting) {
      const isRange = ActivityId !== null || (sorting.key.columns.length === 0 && scopes!.viewRuns.kind === 'every');
      const isNarrowed = onlyOf !== undefined || narrowsRuns(conditions);
      const range = { isRange, activityId: ActivityId, isNarrowed };
      return listSortedHistory({ db: knex, ...sorting, candidates, ...range, filter });
    }
    if (ActivityId === null) return listHistory(knex, scopes!, person.UserId, filter);
    return listActivityHistory(knex, ActivityId, onlyOf, filter);
  };
  const found = (): Knex.QueryBuilder => foundBy(conditions);
  return {
    subject,
    LinkName,
    onlyOf,
    read: async (before, size) => {
      const filter = { ...conditions, before, limit: size + 1, deadline: deadlineIn(timeLimit) };
      const rows = await inTime(() => list(filter));
      return { rows, runs: await historyRuns(knex, rows.slice(0, size), ActivityId !== null) };
    },
    found,
    summary: () => {
      const deadline = deadlineIn(timeLimit);
      const isOfOne = ActivityId !== null && conditions.values.some(isOfLacking);
      const filter = { ...conditions, before: null, deadline };
      const lacking = isOfOne ? { candidates: candidatesOf(knex, ActivityId, onlyOf), filter } : undefined;
      return inTime(() => readSummary({ db: knex, found, deadline, lacking }));
    },
  };
}

type Restriction = (query: Knex.QueryBuilder) => void;

const runsOf =
  (activityId: number, onlyOf: number | undefined): Restriction =>
  (query) => {
    void query.where('R.ActivityId', activityId);
    if (onlyOf !== undefined) void query.where('R.UserId', onlyOf);
  };

/** @param others activities of which the person may see the runs of all users; null for all activities */
const visibleRuns =
  (scopes: ActivityScopes, others: readonly number[] | null, { UserId }: Person): Restriction =>
  (query) => {
    whereVisible(query, scopes);
    if (!others) return;
    void query.where((either) => {
      void either.where('R.UserId', UserId).orWhere((seen) => whereIds(seen, 'R.ActivityId', others));
    });
  };

/**
 * Returns the activities whose runs the person may see although somebody else started them; null for all. Their ids are
 * read first: with the conditions of the rights in the search, the database would check every run.
 */
async function activitiesWithVisibleRuns(db: Db, { viewRuns }: ActivityScopes): Promise<number[] | null> {
  if (viewRuns.kind === 'every') return null;
  if (viewRuns.kind === 'nothing') return [];
  const activities = db('Activities as A').select('A.Id');
  whereInScope(activities, viewRuns, ON_ACTIVITY);
  return (await activities).map(({ Id }) => Id);
}

/** Adds the runs of the reason that the search names. */
async function withReason(
  db: Db,
  { Reason }: HistorySearch,
  foundBy: (conditions: RunConditions) => Knex.QueryBuilder,
  { conditions, deadline }: { conditions: RunConditions; deadline: Deadline },
): Promise<RunConditions> {
  if (Reason === undefined) return conditions;
  const keyOf = createKeyOf();
  const failures = await inTime(() => listFailures(db, foundBy(conditions), FAILURES_MAX, deadline));
  return { ...conditions, ids: failures.filter((row) => keyOf(row) === Reason).map(({ Id }) => Id) };
}

/** @param ofOneActivity true for inputs and outputs, which only the history of an activity shows; else for reasons */
async function historyRuns(db: Db, page: readonly HistoryRow[], ofOneActivity: boolean): Promise<HistoryRun[]> {
  if (ofOneActivity) {
    const found = await listHistoryValues(
      db,
      page.map(({ Id }) => Id),
    );
    const values = Map.groupBy(found, (value) => value.ActivityRunId);
    return page.map((row) => historyRun(row, values.get(row.Id) ?? []));
  }
  const troubled = page.filter(({ Status }) => isTroubled(Status));
  const reasons = await listReasons(
    db,
    troubled.map(({ Id }) => Id),
  );
  return page.map((row) => ({ ...historyRun(row, []), Reason: reasons.get(row.Id) ?? null }));
}

const isTroubled = (status: RunStatus): boolean =>
  status === 'SucceededWarn' || PROBLEM_STATUSES.some((problem) => problem === status);

const keysOf = ({ Id, Schema }: Subject['activity']): { Id: number; Schema: string } => ({ Id, Schema });

/** Throws an AppError 400 for a column that cannot be sorted by. */
function sortingOf(sort: HistorySort, version: ActivityVersion | null): { key: SortKey; descending: boolean } {
  const descending = sort.Descending;
  if (sort.By !== 'Value') return { key: sortKeyOf(sort, false), descending };
  const of = sort.Direction === 'output' ? version?.outputs : version?.inputs;
  const parameter = of?.find(({ Id }) => Id === sort.ActivityParameterId);
  if (!parameter) throw new AppError('historySortInvalid', 400, 'There is no such input or output to sort by');
  const { RangeType, CellUsages } = parameter.Info;
  const [usage] = CellUsages;
  if (RangeType !== 'SingleCell' && !isFileUsage(usage)) {
    throw new AppError('historySortInvalid', 400, 'Runs cannot be sorted by a table');
  }
  return { key: sortKeyOf(sort, usage === 'Number' || usage === 'Date'), descending };
}

/** Throws an AppError 504 if reading the page took too long. */
export async function inTime<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error;
    const text = 'The search took too long: narrow it down, for example by date';
    throw new AppError('historySearchTooSlow', 504, text, { cause: error });
  }
}

async function newestVersion(versions: VersionCatalog, { activity }: VisibleActivity): Promise<ActivityVersion> {
  const version = await versions.get(activity.Id, activity.Version);
  if (!version) throw new Error(`activity ${activity.Id} has no version ${activity.Version}`);
  return version;
}

function activityView({
  activity,
  CanEdit,
  CanRun,
  CanPurge,
  version,
}: Subject): Omit<NonNullable<History['Activity']>, 'LastRunId'> {
  const { Id, Name, Type } = activity;
  return {
    Id,
    Name,
    Type,
    CanEdit,
    CanRun,
    CanPurge,
    Inputs: version.inputs.map(({ Id, Name, Info }) => ({ Id, Name, Info })),
    Outputs: version.outputs.map(({ Id, Name, Info }) => ({ Id, Name, Info })),
  };
}
