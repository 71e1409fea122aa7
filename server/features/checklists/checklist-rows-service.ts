/** The rows of a For each step: listed page by page, and their joined results as one file. */
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { ReadPlan } from '#server/workflows/workflow-plans.ts';
import { joinedLines } from '#server/workflows/joined-rows.ts';
import { readRowPage, WRONG } from '#server/workflows/row-pages.ts';
import { listFirstProblems } from '#server/queue/first-problems.ts';
import type { VersionCatalog, VersionOutput } from '#server/versions/version-catalog.ts';
import type {
  ChecklistRow,
  ChecklistRows,
  ChecklistRowsDownload,
  ChecklistRowsQuery,
} from '#shared/contract/checklist-rows.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { joinedTable, joinedTables } from '#shared/rules/workflows/joined-rows.ts';
import type { ForEachStep } from '#shared/rules/workflows/types.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import { rowsAsCsv, rowsAsWorkbook } from '#server/sheets/rows-file.ts';
import { listRowRuns, type RowRunRow } from './checklist-rows-repository.ts';
import type { ChecklistRunAccess, VisibleWorkflowRun } from '#server/access/checklist-run-access.ts';
import type { NamedWorkflowRunRow } from '#server/access/find-workflow-run.ts';
import { listOtherSteps } from './checklist-runs-repository.ts';
import { viewerOf, type RunViewer } from './checklist-steps.ts';
import { listActivities } from './checklists-repository.ts';

export interface ChecklistRowsService {
  page(person: Person, query: ChecklistRowsQuery): Promise<ChecklistRows>;
  /** Returns a file token. */
  download(person: Person, query: ChecklistRowsDownload): Promise<string>;
}

export interface ChecklistRowsDeps {
  database: Database;
  access: ChecklistAccess;
  runAccess: ChecklistRunAccess;
  readPlan: ReadPlan;
  versions: VersionCatalog;
  files: Pick<FilesService, 'tokenForNew'>;
}

interface FoundStep extends VisibleWorkflowRun {
  step: ForEachStep;
  outputs: readonly VersionOutput[];
  mayView: RunViewer;
  /** True if all rows have ended. */
  isOver: boolean;
}

export function createChecklistRowsService(deps: ChecklistRowsDeps): ChecklistRowsService {
  const { database, files } = deps;
  const { knex } = database;

  return {
    page: async (person, { RunId, StepKey, After }) => {
      const { mayView, isOver, outputs, step } = await findStep(deps, person, RunId, StepKey);
      const of = { workflowRunId: RunId, stepKey: step.Key };
      const { rows, Next } = await readRowPage((wanted) => listRowRuns(knex, { ...of, ...wanted }), After ?? undefined);
      const problems = await listFirstProblems(knex, ...problemIds(rows));
      const Rows = rows.map((row) => rowView(row, problems, mayView));
      return { Rows, Next, Tables: isOver ? joinedTables(outputs).map(({ Name }) => Name) : [] };
    },
    download: async (person, { RunId, StepKey, Table, Format }) => {
      const { run, visible, step, outputs, mayView, isOver } = await findStep(deps, person, RunId, StepKey);
      if (!mayView(step.ActivityId, run.UserId)) {
        throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
      }
      if (!isOver) throw new AppError('runPending', 409, 'Some rows have not ended yet');
      const table = joinedTable(outputs, Table);
      if (!table) throw new AppError('noData', 404, 'There is no data to download');
      const lines = joinedLines(knex, { workflowRunId: RunId, stepKey: step.Key }, table);
      const content = Format === 'csv' ? rowsAsCsv(table.Info, lines) : rowsAsWorkbook(table, lines);
      return files.tokenForNew(
        person,
        `${visible.checklist.Name} ${RunId} ${step.Name} ${table.Name}.${Format}`,
        content,
      );
    },
  };
}

async function findStep(
  { database: { knex }, access, runAccess, readPlan, versions }: ChecklistRowsDeps,
  person: Person,
  runId: number,
  stepKey: string,
): Promise<FoundStep> {
  const found = await runAccess.require(person, runId);
  const plan = await readPlan(knex, found.run.PlanId);
  const step = plan.Graph.Steps.find(({ Key }) => Key === stepKey);
  if (step?.Kind !== 'ForEach') throw new AppError('stepNotFound', 404, 'This run has no such step, or it has no rows');
  const [version, activities, scopes, isOver] = await Promise.all([
    versions.get(step.ActivityId, plan.Versions[step.ActivityId]!),
    listActivities(knex, [step.ActivityId]),
    access.scopes(person),
    hasEnded(knex, found.run, step.Key),
  ]);
  const outputs = version?.outputs ?? [];
  return { ...found, step, outputs, mayView: viewerOf(person, scopes, activities), isOver };
}

async function hasEnded(knex: Database['knex'], run: NamedWorkflowRunRow, stepKey: string): Promise<boolean> {
  const step = (await listOtherSteps(knex, run.Id)).get(stepKey);
  return step !== undefined && step.NotRunBecause === null && !isPending(step.Status);
}

type ListedRow = RowRunRow & { IsKept: boolean };

function problemIds(rows: readonly ListedRow[]): [failed: number[], notRun: number[]] {
  const wrong = rows.filter(({ Status }) => WRONG.includes(Status));
  const ids = (isNotRun: boolean): number[] =>
    wrong.filter(({ NotRunBecause }) => (NotRunBecause !== null) === isNotRun).map(({ Id }) => Id);
  return [ids(false), ids(true)];
}

function rowView(row: ListedRow, problems: ReadonlyMap<number, string>, mayView: RunViewer): ChecklistRow {
  const { Id, RowKey, Status, Attempt, IsKept } = row;
  return {
    Id,
    RowKey,
    Status,
    QueueTime: row.WaitsForSteps ? null : row.QueueTime.toISOString(),
    StartTime: row.StartTime?.toISOString() ?? null,
    EndTime: row.EndTime?.toISOString() ?? null,
    Attempt,
    IsKept,
    Message: problems.get(Id) ?? '',
    CanView: mayView(row.ActivityId, row.UserId),
  };
}
