/** Past runs of a checklist: one page at a time, or all search results as a workbook. */
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import { nonEmpty } from '#server/base/non-empty.ts';
import { historyWorkbook } from '#server/sheets/history-workbook.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import type {
  ChecklistHistory,
  ChecklistHistoryQuery,
  ChecklistHistoryRun,
  ChecklistHistorySearch,
} from '#shared/contract/checklist-runs.ts';
import { HISTORY_EXPORT_MAX, type ExportedHistory, type HistoryRun } from '#shared/contract/run-history.ts';
import { checklistStepKey } from '#shared/rules/workflows/compile-checklist.ts';
import { isSameInputName } from '#shared/rules/checklist-rules.ts';
import type { ChecklistAccess, ChecklistScopes, VisibleChecklist } from '#server/access/checklist-access.ts';
import { listWorkflowHistory, listWorkflowOutputs, type WorkflowOutputRow } from './checklist-history-repository.ts';
import type { NamedWorkflowRunRow } from '#server/access/find-workflow-run.ts';
import { viewerOf, type RunViewer } from './checklist-steps.ts';
import { seenActivities } from './chosen-activities-service.ts';
import { findWorkflowGraph } from './checklists-repository.ts';
import type { ChecklistsService } from './checklists-service.ts';
import { isActivityUse, readEntered } from './entered-inputs.ts';

export interface ChecklistHistoryService {
  page(person: Person, query: ChecklistHistoryQuery): Promise<ChecklistHistory>;
  /** Writes the search results to a new file, one page of runs at a time. */
  export(person: Person, search: ChecklistHistorySearch): Promise<ExportedHistory>;
}

export interface ChecklistHistoryDeps {
  database: Database;
  access: ChecklistAccess;
  checklists: ChecklistsService;
  versions: VersionCatalog;
  files: FilesService;
}

const EXPORT_PAGE = 200;

type Columns = ChecklistHistory['Checklist'];

interface OpenSearch {
  checklist: Columns;
  /** Returns up to `size` runs before the given run id, and whether there are more. */
  read: (before: number | null, size: number) => Promise<Pick<ChecklistHistory, 'Runs' | 'HasMore'>>;
}

export function createChecklistHistoryService(deps: ChecklistHistoryDeps): ChecklistHistoryService {
  return {
    page: async (person, query) => {
      const { checklist, read } = await openSearch(deps, person, query);
      return { ...(await read(query.PrevRunId || null, query.ApproxRows)), Checklist: checklist };
    },
    export: async (person, search) => {
      const { checklist, read } = await openSearch(deps, person, search);
      const result = { Rows: 0, HasMore: false };
      async function* pages(): AsyncGenerator<HistoryRun[]> {
        for (let before: number | null = null; ;) {
          const page = await read(before, Math.min(EXPORT_PAGE, HISTORY_EXPORT_MAX - result.Rows));
          result.Rows += page.Runs.length;
          result.HasMore = page.HasMore;
          yield page.Runs.map((run) => exportedRun(run, checklist));
          if (!page.HasMore || result.Rows >= HISTORY_EXPORT_MAX) return;
          before = page.Runs.at(-1)!.Id;
        }
      }
      const name = `Checklist ${checklist.Name} history.xlsx`;
      const Token = await deps.files.tokenForNew(person, name, historyWorkbook(exportedColumns(checklist), pages()));
      return { Token, ...result };
    },
  };
}

async function openSearch(
  deps: ChecklistHistoryDeps,
  person: Person,
  search: ChecklistHistorySearch,
): Promise<OpenSearch> {
  const { access, checklists } = deps;
  const { knex } = deps.database;
  const { ChecklistId } = search;
  const visible = await access.require(knex, person, ChecklistId);
  const [details, scopes] = await Promise.all([checklists.details(person, ChecklistId), access.scopes(person)]);
  const { Id, Name, CanEdit, CanRun, Workflow, LastRunId, IsLastRunWorkflow } = details;
  const Inputs = details.Inputs.flatMap(({ InputId, InputName, ActivityInputs: [first] }) =>
    first ? [{ InputId, InputName, Info: first.Info }] : [],
  );
  const Outputs = await outputColumns(deps, visible, ownViewer(person, scopes, visible));
  const IsWorkflow = Workflow !== null;
  const checklist = { Id, Name, CanEdit, CanRun, IsWorkflow, LastRunId, IsLastRunWorkflow, Inputs, Outputs };
  const filter = {
    userId: visible.CanViewRuns ? undefined : person.UserId,
    withWorkflows: search.FetchWorkflowRuns ?? true,
    statuses: nonEmpty(search.Statuses) ?? null,
    userIds: nonEmpty(search.UserIds) ?? null,
    runBy: search.RunBy?.trim() || null,
    queuedFrom: search.QueuedFrom === undefined ? null : new Date(search.QueuedFrom),
    queuedBefore: search.QueuedBefore === undefined ? null : new Date(search.QueuedBefore),
  };
  const mayView = viewerOf(person, scopes, visible.activities);
  const seen = await seenActivities(knex, access, person, visible);
  const seesAll = visible.activities.every((activity) => seen.has(activity.Id));
  return {
    checklist,
    read: async (before, size) => {
      const rows = await listWorkflowHistory(knex, ChecklistId, { ...filter, before, limit: size + 1 });
      const page = rows.slice(0, size);
      const found =
        Outputs.length === 0
          ? []
          : await listWorkflowOutputs(
              knex,
              page.map((row) => row.Id),
            );
      const outputs = Map.groupBy(
        found.filter(({ ActivityId, UserId }) => mayView(ActivityId, UserId)),
        ({ WorkflowRunId }) => WorkflowRunId,
      );
      return {
        Runs: page.map((row) => historyRun(row, { Inputs, seesAll }, outputs.get(row.Id) ?? [])),
        HasMore: rows.length > size,
      };
    },
  };
}

/**
 * Returns whether the person may see their own runs of an activity. If not, the history hides the activity's outputs
 * entirely.
 */
function ownViewer(
  person: Person,
  scopes: ChecklistScopes,
  { activities }: VisibleChecklist,
): (activityId: number) => boolean {
  const mayView: RunViewer = viewerOf(person, scopes, activities);
  return (activityId) => mayView(activityId, person.UserId);
}

/** Returns the output columns of steps that are a single run, from the newest versions of their activities. */
async function outputColumns(
  { database: { knex }, versions }: ChecklistHistoryDeps,
  { checklist, activities }: VisibleChecklist,
  isSeen: (activityId: number) => boolean,
): Promise<Columns['Outputs']> {
  const { Id, WorkflowVersion } = checklist;
  const graph = WorkflowVersion === null ? null : await findWorkflowGraph(knex, Id, WorkflowVersion);
  const steps = graph
    ? graph.Steps.filter(isActivityUse)
        .filter(({ Kind }) => Kind === 'Activity')
        .map(({ Key, Name, ActivityId }) => ({ Key, Name, ActivityId }))
    : activities.map(({ Id: ActivityId, Name }) => ({ Key: checklistStepKey(ActivityId), Name, ActivityId }));
  const columns: Columns['Outputs'] = [];
  for (const { Key, Name, ActivityId } of steps.filter((step) => isSeen(step.ActivityId))) {
    const activity = activities.find((one) => one.Id === ActivityId);
    const version = activity && (await versions.get(ActivityId, activity.Version));
    for (const output of version?.outputs ?? []) {
      columns.push({ StepKey: Key, StepName: Name, OutputId: output.Id, OutputName: output.Name, Info: output.Info });
    }
  }
  return columns;
}

/**
 * Assigns values to the current columns by name. If an input had another name when the run started, its value is listed
 * under its original id. People who may not see all activities do not get such values, because they may belong to a
 * hidden activity.
 */
function historyRun(
  row: NamedWorkflowRunRow,
  { Inputs, seesAll }: Pick<Columns, 'Inputs'> & { seesAll: boolean },
  outputs: readonly WorkflowOutputRow[],
): ChecklistHistoryRun {
  return {
    Id: row.Id,
    QueueTime: row.QueueTime.toISOString(),
    EndTime: row.EndTime?.toISOString() ?? null,
    Status: row.Status,
    UserFullName: fullName(row),
    ActivityVersion: row.WorkflowVersion ?? 1,
    IsWorkflow: row.WorkflowVersion !== null,
    Inputs: readEntered(row.Inputs).flatMap(({ ChecklistInputName, ActivityParameterId, Value, Rows, FileName }) => {
      const column = Inputs.find(({ InputName }) => isSameInputName(InputName, ChecklistInputName));
      if (!column && !seesAll) return [];
      const id = column?.InputId ?? ActivityParameterId;
      return [{ ChecklistInputName, ActivityParameterId: id, Value: Rows === null ? Value : null, Rows, FileName }];
    }),
    Outputs: outputs.map(({ StepKey, ActivityParameterId, Value, Rows, FileName }) => ({
      StepKey,
      ActivityParameterId,
      Value,
      Rows,
      FileName,
    })),
  };
}

/**
 * Uses the export format of an activity's history. Outputs are numbered by position, because a workflow may contain an
 * activity twice.
 */
function exportedColumns({ Inputs, Outputs }: Columns): Parameters<typeof historyWorkbook>[0] {
  return {
    Type: 'Workbook',
    Inputs: Inputs.map(({ InputId, InputName, Info }) => ({ Id: InputId, Name: InputName, Info })),
    Outputs: Outputs.map(({ StepName, OutputName, Info }, index) => ({
      Id: index + 1,
      Name: `${StepName}: ${OutputName}`,
      Info,
    })),
  };
}

function exportedRun({ Outputs, ...run }: ChecklistHistoryRun, checklist: Columns): HistoryRun {
  return {
    ...run,
    ActivityId: checklist.Id,
    Name: checklist.Name,
    StartTime: null,
    Inputs: run.Inputs.map(({ ChecklistInputName: _name, ...value }) => value),
    Outputs: Outputs.flatMap(({ StepKey, ...value }) => {
      const index = checklist.Outputs.findIndex(
        (column) => column.StepKey === StepKey && column.OutputId === value.ActivityParameterId,
      );
      return index < 0 ? [] : [{ ...value, ActivityParameterId: index + 1 }];
    }),
  };
}
