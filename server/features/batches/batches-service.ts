import { AppError } from '#server/base/app-error.ts';
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { ActivityAccess, VisibleActivity } from '#server/access/activity-access.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import { rowInputs, rowObstacle, type ReadRows, type RowInput } from '#server/sheets/row-inputs.ts';
import type { RowFile } from '#server/files/received-file.ts';
import { inputColumn, type BuildRows } from '#server/sheets/row-workbook-builder.ts';
import {
  countChildRunsOf,
  NO_ENDED_CHILDREN,
  type EndedChildCounts,
} from '#server/workflows/child-runs/child-counts.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import type { ActivityVersion, VersionCatalog } from '#server/versions/version-catalog.ts';
import {
  BATCH_ISSUES_MAX,
  BATCH_ROWS_MAX,
  type Batch,
  type BatchPage,
  type CheckedBatch,
} from '#shared/contract/batches.ts';
import { readRowResults, rowKeyOf } from './batch-results.ts';
import { batchResultsOf, batchTemplateOf, isResultOutput, readBatch, type RowResult } from './batch-sheet.ts';
import {
  deleteUnstarted,
  findBatch,
  insertBatch,
  listStarted,
  readContent,
  type BatchRow,
  type ListedBatch,
} from './batches-repository.ts';
import { storeBatchStart } from './start-batch.ts';

export interface BatchesService {
  list(person: Person, activityId: number): Promise<BatchPage>;
  /** Returns a download token. */
  template(person: Person, activityId: number): Promise<string>;
  check(person: Person, activityId: number, file: RowFile, signal: AbortSignal): Promise<CheckedBatch>;
  /** Returns the id of the run that the rows belong to. */
  start(person: Person, body: { Id: number; UniqueId?: string | null; OnlyGood: boolean }): Promise<number>;
  /** Returns a download token. */
  results(person: Person, batchId: number): Promise<string>;
}

export interface BatchesDeps {
  database: Database;
  access: ActivityAccess;
  activities: Pick<ActivitiesService, 'inputsFor'>;
  versions: VersionCatalog;
  files: Pick<FilesService, 'tokenForNew'>;
  signals: RunSignals;
  readRows: ReadRows;
  buildRows: BuildRows;
}

const SHOWN = 20;

export function createBatchesService(deps: BatchesDeps): BatchesService {
  const { database, access, files } = deps;
  const { knex } = database;
  return {
    list: async (person, activityId) => {
      const visible = await access.require(knex, person, activityId);
      const { filled, obstacle } = await sheetOf(deps, person, visible);
      const of = visible.CanViewRuns ? undefined : person.UserId;
      const batches = await listStarted(knex, activityId, of, SHOWN);
      const runIds = batches.map(({ RunId }) => RunId);
      const counts = await countChildRunsOf(knex, runIds);
      return {
        ActivityName: visible.activity.Name,
        CanRun: visible.CanRun,
        Obstacle: obstacle,
        Inputs: filled.map(({ input }) => input.Name),
        Batches: batches.map((row) => batchView(row, counts.get(row.RunId) ?? NO_ENDED_CHILDREN)),
      };
    },
    template: async (person, activityId) => {
      const visible = await access.require(knex, person, activityId);
      const { filled } = await requireSheet(deps, person, visible);
      const { Name } = visible.activity;
      return files.tokenForNew(person, `${Name} batch.xlsx`, await deps.buildRows(batchTemplateOf(Name, filled)));
    },
    check: (...of) => checkSheet(deps, ...of),
    start: async (person, { Id, UniqueId = null, OnlyGood }) => {
      const batch = await findBatch(knex, Id);
      if (!batch || batch.UserId !== person.UserId) throw batchNotFound();
      const visible = await access.require(knex, person, batch.ActivityId);
      if (batch.RunId === null) requireRun(visible);
      const { activity } = visible;
      const runId = await storeBatchStart(database, { Id, UniqueId, OnlyGood, UserId: person.UserId, activity });
      deps.signals.childEnded(runId);
      return runId;
    },
    results: async (person, batchId) => {
      const batch = await findBatch(knex, batchId);
      if (!batch || batch.RunId === null) throw batchNotFound();
      const visible = await access.require(knex, person, batch.ActivityId);
      if (batch.UserId !== person.UserId && !visible.CanViewRuns) throw batchNotFound();
      return files.tokenForNew(
        person,
        resultsName(batch),
        await resultsOf(deps, person, visible, { ...batch, RunId: batch.RunId }),
      );
    },
  };
}

async function checkSheet(
  deps: BatchesDeps,
  person: Person,
  activityId: number,
  file: RowFile,
  signal: AbortSignal,
): Promise<CheckedBatch> {
  const {
    access,
    database: { knex, dialect },
  } = deps;
  const visible = await access.require(knex, person, activityId);
  requireRun(visible);
  const { filled, version } = await requireSheet(deps, person, visible);
  const { FileName } = file;
  const sheet = await deps.readRows(file, signal);
  if (sheet.rows.length > BATCH_ROWS_MAX) {
    const max = BATCH_ROWS_MAX;
    throw new AppError(
      'tooManyRows',
      422,
      `The sheet has ${sheet.rows.length} rows, but a batch can have at most ${max}`,
    );
  }
  const { issues, headerIssues, readings: Readings, ...content } = readBatch(sheet, filled, version.outputs);
  const RowCount = content.Rows.length;
  const BadCount = content.Rows.filter(({ IsGood }) => !IsGood).length;
  const owner = { UserId: person.UserId, ActivityId: activityId };
  await deleteUnstarted(knex, dialect, owner);
  const row = { ...owner, ActivityVersion: version.Version, FileName: FileName.slice(0, 255), RowCount, BadCount };
  const Id = await insertBatch(knex, { ...row, content });
  const Issues = issues.slice(0, BATCH_ISSUES_MAX);
  const counts = { RowCount, BadCount, IssueCount: issues.length, HeaderIssueCount: headerIssues };
  return { Id, FileName, ...counts, Issues, Readings };
}

const batchNotFound = (): AppError => new AppError('batchNotFound', 404, 'There is no such batch');

const resultsName = ({ FileName }: BatchRow): string => `${FileName.replace(/\.[^.]+$/, '')} results.xlsx`;

function requireRun({ CanRun }: VisibleActivity): void {
  if (!CanRun) throw new AppError('activityInactive', 409, 'The activity is not active and cannot be run');
}

interface Sheet {
  version: ActivityVersion;
  filled: RowInput[];
  obstacle: string | null;
}

async function sheetOf(
  { activities, versions }: Pick<BatchesDeps, 'activities' | 'versions'>,
  person: Person,
  { activity }: VisibleActivity,
  number = activity.Version,
): Promise<Sheet> {
  const version = await versions.get(activity.Id, number);
  if (!version) throw new Error(`activity ${activity.Id} has no version ${number}`);
  const inputs = await activities.inputsFor(person, activity, version);
  const filled = rowInputs(inputs, new Map(version.inputs.map(({ Id, pickerItems }) => [Id, pickerItems])));
  return { version, filled, obstacle: rowObstacle(inputs, filled) };
}

async function requireSheet(deps: BatchesDeps, person: Person, visible: VisibleActivity): Promise<Sheet> {
  const sheet = await sheetOf(deps, person, visible);
  if (sheet.obstacle !== null) throw new AppError('noBatch', 422, sheet.obstacle);
  return sheet;
}

function batchView(row: ListedBatch, counts: EndedChildCounts): Batch {
  const { SuccessfulChildRuns, WarnedChildRuns, FailedChildRuns, CancelledChildRuns, RunningChildRuns } = counts;
  const { Id, FileName, RunId, RowCount, BadCount, Time } = row;
  const UserFullName = fullName(row);
  return {
    Id,
    FileName,
    RunId,
    RowCount: RowCount - BadCount,
    BadCount,
    Time: Time.toISOString(),
    UserFullName,
    SuccessfulChildRuns,
    WarnedChildRuns,
    FailedChildRuns,
    CancelledChildRuns,
    RunningChildRuns,
  };
}

const SKIPPED: RowResult = { RunId: null, Status: 'Not started', Message: '', values: new Map() };

/** Uses the outputs of the version that the rows ran with. */
async function resultsOf(
  deps: BatchesDeps,
  person: Person,
  visible: VisibleActivity,
  { Id, RunId, ActivityVersion }: BatchRow & { RunId: number },
): Promise<Uint8Array> {
  const { knex } = deps.database;
  const { version, filled } = await sheetOf(deps, person, visible, ActivityVersion);
  const outputs = version.outputs.filter(isResultOutput);
  const [content, results] = await Promise.all([readContent(knex, Id), readRowResults(knex, RunId, outputs)]);
  const resultOf = ({ Row, IsGood }: (typeof content.Rows)[number]): RowResult => {
    const Message = IsGood ? 'The row is waiting to run' : 'The row has an invalid cell';
    return results.get(rowKeyOf(Row)) ?? { ...SKIPPED, Message };
  };
  return deps.buildRows(batchResultsOf(content, filled.map(inputColumn), outputs, resultOf));
}
