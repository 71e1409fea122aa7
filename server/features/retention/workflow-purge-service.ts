/** Manual purging of checklist and workflow runs, and their retention periods. */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import { checklistNotFound, type ChecklistAccess } from '#server/access/checklist-access.ts';
import type { ChecklistRunAccess } from '#server/access/checklist-run-access.ts';
import { recordEdit, revisionOf, type EditedRecord } from '#server/access/edits.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { isInScope } from '#server/access/rights/right-scope.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { startOfDay } from '#server/automation/schedules/daily-occurrences.ts';
import type {
  ChecklistRetention,
  ChecklistRetentionUpdate,
  ChecklistRunDataSize,
} from '#shared/contract/checklist-purge.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { parsePeriod, retentionIssues } from '#shared/rules/retention-rules.ts';
import {
  findWorkflowRetention,
  isResumed,
  listWorkflowRunSizes,
  listChecklistSchemas,
  removeWorkflowRetention,
  saveWorkflowRetention,
} from './workflow-purge-repository.ts';
import { hasPendingStarted, purgeWorkflowRuns } from './purge-workflow-runs.ts';
import type { PurgeDeps } from './purge-runs.ts';
import { startedPending } from './run-descendants.ts';

export interface WorkflowPurgeService {
  /** @param date for example '2026-11-14': includes runs queued before that day */
  sizes(person: Person, date: string): Promise<ChecklistRunDataSize[]>;
  /** Returns the number of deleted checklist runs. Ends early if the signal is aborted. */
  purge(person: Person, order: { date: string; checklistIds: readonly number[] }, signal: AbortSignal): Promise<number>;
  purgeRun(person: Person, runId: number, signal: AbortSignal): Promise<number>;
  retention(person: Person, checklistId: number): Promise<ChecklistRetention>;
  /** Without a number, runs are retained forever. */
  updateRetention(person: Person, update: ChecklistRetentionUpdate): Promise<ChecklistRetention>;
  deleteRetention(person: Person, checklistId: number): Promise<void>;
}

export interface WorkflowPurgeDeps extends PurgeDeps {
  rights: RightsService;
  access: ChecklistAccess;
  runAccess: ChecklistRunAccess;
  timeZone: string;
}

const RESUMED = 'Another run resumes this one and reuses its results: purge that run first';

function requireValid(RunRetention: ReturnType<typeof parsePeriod>): void {
  const [issue] = retentionIssues({ RunRetention, RunDataRetention: null, RunInputsRetention: null });
  if (!issue) return;
  const modelState = { [issue.field]: [issue.message] };
  throw new AppError('retentionInvalid', 400, issue.message, { modelState });
}

const retentionOf = (checklistId: number): EditedRecord => ({ table: 'ChecklistRetentions', key: checklistId });

export function createWorkflowPurgeService(deps: WorkflowPurgeDeps): WorkflowPurgeService {
  const { database, rights, access, runAccess, timeZone } = deps;
  const { knex, dialect } = database;

  async function retention(person: Person, ChecklistId: number): Promise<ChecklistRetention> {
    const { checklist } = await access.requireEdit(knex, person, ChecklistId);
    const Revision = await revisionOf(knex, retentionOf(ChecklistId));
    const row = await findWorkflowRetention(knex, ChecklistId);
    const IsWorkflow = checklist.WorkflowVersion !== null;
    const RunRetention = row?.RunRetention ?? null;
    return { ChecklistId, ChecklistName: checklist.Name, IsWorkflow, RunRetention, Revision };
  }

  return {
    sizes: async (person, date) => {
      const scope = await rights.scope(person, 'sk.PurgeRuns');
      const sizes = await listWorkflowRunSizes(knex, dialect, startOfDay(date, timeZone));
      return sizes.filter(({ SchemaName }) => isInScope(scope, { Schema: SchemaName }));
    },
    purge: async (person, { date, checklistIds }, signal) => {
      const scope = await rights.scope(person, 'sk.PurgeRuns');
      const found = await listChecklistSchemas(knex, checklistIds);
      const purgeable = found.filter(({ Schema }) => isInScope(scope, { Schema })).map(({ Id }) => Id);
      if (purgeable.length < new Set(checklistIds).size) throw checklistNotFound();
      const before = startOfDay(date, timeZone);
      const where = (query: Knex.QueryBuilder): void =>
        void query.whereIn('ChecklistId', purgeable).where('QueueTime', '<', before);
      return purgeWorkflowRuns(deps, where, signal);
    },
    purgeRun: async (person, runId, signal) => {
      const { run, CanPurge } = await runAccess.require(person, runId);
      if (isPending(run.Status)) throw new AppError('runPending', 409, 'The run has not ended yet');
      if (!CanPurge) throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
      if (await isResumed(knex, runId)) throw new AppError('runResumed', 409, RESUMED);
      if (await hasPendingStarted(knex, runId)) throw startedPending();
      return purgeWorkflowRuns(deps, (query) => void query.where('Id', runId), signal);
    },
    retention,
    updateRetention: async (person, { ChecklistId, RunRetention: sent, Revision }) => {
      await access.requireEdit(knex, person, ChecklistId);
      const RunRetention = parsePeriod(sent);
      requireValid(RunRetention);
      await inTransaction(knex, async (trx) => {
        await recordEdit(trx, retentionOf(ChecklistId), { person, Revision });
        if (RunRetention === null || RunRetention === undefined) await removeWorkflowRetention(trx, ChecklistId);
        else await saveWorkflowRetention(trx, dialect, { ChecklistId, RunRetention });
      });
      return retention(person, ChecklistId);
    },
    deleteRetention: async (person, checklistId) => {
      await access.requireEdit(knex, person, checklistId);
      await inTransaction(knex, async (trx) => {
        await recordEdit(trx, retentionOf(checklistId), { person, Revision: null });
        if (!(await removeWorkflowRetention(trx, checklistId)))
          throw new AppError('retentionNotFound', 404, 'There is no retention period');
      });
    },
  };
}
