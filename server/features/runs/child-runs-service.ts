/**
 * Child runs that the Start steps of a run started: their counts, pages of them, retrying them, and their joined
 * results as one file.
 */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivityRunsRow } from '#server/db/tables.ts';
import type { ActivityAccess, VisibleActivity } from '#server/access/activity-access.ts';
import { rowsAsCsv, rowsAsWorkbook } from '#server/sheets/rows-file.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import { joinedLines } from '#server/workflows/joined-rows.ts';
import { readRowPage, WRONG, type RowsWanted } from '#server/workflows/row-pages.ts';
import { countChildRuns, newestChildren, type ChildCounts } from '#server/workflows/child-runs/child-counts.ts';
import { retryChildRuns } from '#server/workflows/child-runs/retry-child-runs.ts';
import { listRunStarts, type OfStart, type RunStart } from '#server/queue/run-starts.ts';
import { listFirstProblems } from '#server/queue/first-problems.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import type { VersionCatalog, VersionOutput } from '#server/versions/version-catalog.ts';
import type {
  ChildRun,
  ChildRunsDownload,
  ChildRunsPage,
  ChildRunsQuery,
  ChildRunStep,
} from '#shared/contract/child-runs.ts';
import { joinedTable, joinedTables } from '#shared/rules/workflows/joined-rows.ts';
import type { RunAccess } from '#server/access/run-access.ts';

export interface ChildRunsService {
  steps(person: Person, runId: number): Promise<ChildRunStep[]>;
  page(person: Person, query: ChildRunsQuery): Promise<ChildRunsPage>;
  /** Returns a file token. */
  download(person: Person, query: ChildRunsDownload): Promise<string>;
  /** Returns the number of runs that run again. */
  retry(person: Person, runId: number, stepKey: string): Promise<number>;
}

export interface ChildRunsDeps {
  database: Database;
  access: RunAccess;
  activityAccess: ActivityAccess;
  versions: VersionCatalog;
  files: Pick<FilesService, 'tokenForNew'>;
  signals: RunSignals;
}

interface FoundStep {
  start: RunStart;
  /** Undefined if the person may not see the activity. */
  visible: VisibleActivity | undefined;
  outputs: readonly VersionOutput[];
  counts: ChildCounts;
}

export function createChildRunsService(deps: ChildRunsDeps): ChildRunsService {
  const { database, access, files, signals } = deps;
  const { knex } = database;
  return {
    steps: async (person, runId) => {
      await access.require(knex, person, runId);
      const steps: ChildRunStep[] = [];
      for (const start of await listRunStarts(knex, runId))
        steps.push(stepView(person, await found(deps, person, start)));
      return steps;
    },
    page: async (person, { RunId, StepKey, After }) => {
      const { start, visible } = await requireStep(deps, person, RunId, StepKey);
      const of = { ParentRunId: start.ParentRunId, StepKey };
      const { rows, Next } = await readRowPage((wanted) => listChildren(knex, of, wanted), After ?? undefined);
      const wrong = rows.filter(({ Status }) => WRONG.includes(Status));
      const idsOf = (isNotRun: boolean): number[] =>
        wrong.filter(({ NotRunBecause }) => (NotRunBecause !== null) === isNotRun).map(({ Id }) => Id);
      const problems = await listFirstProblems(knex, idsOf(false), idsOf(true));
      const Rows = rows.map((row) => rowView(row, problems, maySee(person, visible, row.UserId)));
      return { Rows, Next };
    },
    download: async (person, { RunId, StepKey, Table, Format }) => {
      const { start, visible, outputs, counts } = await requireStep(deps, person, RunId, StepKey);
      if (!maySee(person, visible, start.UserId))
        throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
      if (counts.RunningChildRuns > 0) throw new AppError('runPending', 409, 'Some rows have not ended yet');
      const table = joinedTable(outputs, Table);
      if (!table) throw new AppError('noData', 404, 'There is no data to download');
      const lines = joinedLines(knex, { parentId: start.ParentRunId, stepKey: StepKey }, table);
      const content = Format === 'csv' ? rowsAsCsv(table.Info, lines) : rowsAsWorkbook(table, lines);
      return files.tokenForNew(person, `${start.StepName} ${RunId} ${table.Name}.${Format}`, content);
    },
    retry: async (person, runId, StepKey) => {
      const { visible } = await requireStep(deps, person, runId, StepKey);
      if (!visible?.CanRun) throw new AppError('activityInactive', 409, 'The activity is not active and cannot be run');
      return retryChildRuns(database, signals, { ParentRunId: runId, StepKey }, person.UserId);
    },
  };
}

async function requireStep(deps: ChildRunsDeps, person: Person, runId: number, stepKey: string): Promise<FoundStep> {
  const { knex } = deps.database;
  await deps.access.require(knex, person, runId);
  const start = (await listRunStarts(knex, runId)).find(({ StepKey }) => StepKey === stepKey);
  if (!start) throw new AppError('stepNotFound', 404, 'This run has no such step, or it has no rows');
  return found(deps, person, start);
}

async function found(
  { database: { knex }, activityAccess, versions }: ChildRunsDeps,
  person: Person,
  start: RunStart,
): Promise<FoundStep> {
  const [visible, version, counts] = await Promise.all([
    activityAccess.require(knex, person, start.ActivityId).catch(hidden),
    versions.get(start.ActivityId, start.ActivityVersion),
    countChildRuns(knex, start.ParentRunId, start.StepKey),
  ]);
  return { start, visible, outputs: version?.outputs ?? [], counts };
}

function hidden(error: unknown): undefined {
  if (error instanceof AppError && error.status === 404) return undefined;
  throw error;
}

const maySee = (person: Person, visible: VisibleActivity | undefined, userId: number): boolean =>
  visible !== undefined && (userId === person.UserId || visible.CanViewRuns);

function stepView(person: Person, { start, visible, outputs, counts }: FoundStep): ChildRunStep {
  const { StepKey, StepName, ActivityId } = start;
  const { SuccessfulChildRuns, FailedChildRuns, RunningChildRuns } = counts;
  const isSeen = maySee(person, visible, start.UserId);
  return {
    StepKey,
    StepName,
    ActivityId,
    Name: visible?.activity.Name ?? '',
    SuccessfulChildRuns,
    FailedChildRuns,
    RunningChildRuns,
    CanRetry: FailedChildRuns > 0 && visible?.CanRun === true && isSeen,
    Tables: isSeen && RunningChildRuns === 0 ? joinedTables(outputs).map(({ Name }) => Name) : [],
  };
}

type ChildRow = Pick<ActivityRunsRow, 'Id' | 'UserId' | 'RowKey' | 'Status' | 'NotRunBecause' | 'EndTime' | 'Attempt'>;

const COLUMNS = ['Id', 'UserId', 'RowKey', 'Status', 'NotRunBecause', 'EndTime', 'Attempt'];

async function listChildren(
  knex: Database['knex'],
  of: OfStart,
  { statuses, waiting, afterId, limit }: RowsWanted,
): Promise<ChildRow[]> {
  return newestChildren(knex, of)
    .where('R.WaitsForSteps', waiting)
    .whereIn('R.Status', statuses)
    .where('R.Id', '>', afterId)
    .orderBy('R.Id')
    .limit(limit)
    .select<ChildRow[]>(COLUMNS.map((column) => `R.${column}`));
}

function rowView(row: ChildRow, problems: ReadonlyMap<number, string>, CanView: boolean): ChildRun {
  const { Id, RowKey, Status, Attempt } = row;
  return {
    Id,
    RowKey,
    Status,
    EndTime: row.EndTime?.toISOString() ?? null,
    Attempt,
    Message: problems.get(Id) ?? '',
    CanView,
  };
}
