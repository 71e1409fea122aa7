/** Manual purging of runs: shows their size and deletes them. */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import { activityNotFound } from '#server/access/activity-access.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type { RunAccess } from '#server/access/run-access.ts';
import { fullName } from '#server/base/full-name.ts';
import { startOfDay } from '#server/automation/schedules/daily-occurrences.ts';
import type { Person } from '#server/base/person.ts';
import type { PurgeableActivity, PurgeScope, RunDataSize } from '#shared/contract/purge.ts';
import { hasSucceeded, isPending, type RunStatus } from '#shared/contract/run-status.ts';
import { listPurgeable, listPurgeableActivities, listRunDataSizes } from './purge-repository.ts';
import { purgeRuns, type PurgeDeps, type PurgeTarget } from './purge-runs.ts';
import { hasPendingDescendants, startedPending } from './run-descendants.ts';

export interface PurgeService {
  /**
   * Returns the activities that have runs to purge.
   * @param date for example '2026-11-14': includes runs queued before that day
   */
  activities(person: Person, date: string): Promise<PurgeableActivity[]>;
  /** Returns the size of these runs, which takes longer. */
  sizes(person: Person, date: string): Promise<RunDataSize[]>;
  /** Returns the number of deleted runs or files. Ends early if the signal is aborted. */
  purge(person: Person, request: PurgeOrder, signal: AbortSignal): Promise<number>;
  purgeRun(person: Person, runId: number, scope: PurgeScope): Promise<number>;
}

export interface PurgeOrder {
  date: string;
  scope: PurgeScope;
  activityIds: readonly number[];
  /** Maximum number of runs or files to delete. */
  limit: number;
}

export interface PurgeServiceDeps extends PurgeDeps {
  rights: RightsService;
  runAccess: RunAccess;
  timeZone: string;
}

const TARGETS: Record<PurgeScope, PurgeTarget> = { All: 'runs', InputFiles: 'inputFiles', OutputFiles: 'outputFiles' };

export function createPurgeService(deps: PurgeServiceDeps): PurgeService {
  const { database, rights, runAccess, timeZone } = deps;
  const { knex, dialect } = database;
  return {
    activities: async (person, date) => {
      const scope = await rights.scope(person, 'sk.PurgeRuns');
      return listPurgeableActivities(knex, dialect, startOfDay(date, timeZone), scope);
    },
    sizes: async (person, date) => {
      const scope = await rights.scope(person, 'sk.PurgeRuns');
      return listRunDataSizes(knex, dialect, startOfDay(date, timeZone), scope);
    },
    purge: async (person, { date, scope, activityIds, limit }, signal) => {
      const purgeable = await listPurgeable(knex, activityIds, await rights.scope(person, 'sk.PurgeRuns'));
      if (purgeable.length < new Set(activityIds).size) throw activityNotFound();
      const before = startOfDay(date, timeZone);
      const order = { target: TARGETS[scope], message: messageOf(person, scope) };
      let count = 0;
      for (const ActivityId of purgeable) {
        const where = (query: Knex.QueryBuilder): void =>
          // Deletes exactly the runs that were counted: runs of steps are listed with their checklists.
          void query.where({ ActivityId }).whereNull('ChecklistRunId').where('QueueTime', '<', before);
        count += await purgeRuns(deps, { ...order, where, limit: limit - count }, signal);
        if (count >= limit) break;
      }
      return count;
    },
    purgeRun: async (person, runId, scope) => {
      const { run, CanPurge } = await runAccess.require(knex, person, runId);
      if (!CanPurge) throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
      if (isPending(run.Status)) throw new AppError('runPending', 409, 'The run has not ended yet');
      await requirePurgeable(knex, runId, scope);
      if (scope === 'All' && (await hasPendingDescendants(knex, runId))) throw startedPending();
      const where = (query: Knex.QueryBuilder): void => void query.where('Id', runId);
      return purgeRuns(deps, { target: TARGETS[scope], where, message: messageOf(person, scope) });
    },
  };
}

/**
 * Throws an AppError 409 if the run cannot be purged alone: it belongs to a parent run or checklist run, or a checklist
 * run still needs its contents. Without the error, the purge would silently do nothing.
 */
async function requirePurgeable(knex: Knex, runId: number, scope: PurgeScope): Promise<void> {
  const run = await knex('ActivityRuns as R')
    .leftJoin('ChecklistRuns as C', 'C.Id', 'R.ChecklistRunId')
    .leftJoin('ChecklistKeptRuns as K', 'K.ActivityRunId', 'R.Id')
    .where('R.Id', runId)
    .leftJoin('ActivityRuns as P', 'P.Id', 'R.ParentRunId')
    .first<
      | {
          ChecklistRunId: number | null;
          Status: RunStatus | null;
          KeptRunId: number | null;
          ParentRunId: number | null;
        }
      | undefined
    >('R.ChecklistRunId', 'C.Status', 'K.ActivityRunId as KeptRunId', 'P.Id as ParentRunId');
  if (run && run.ParentRunId !== null && scope === 'All') {
    const text = `This run was started by run ${run.ParentRunId} and can be purged only together with it`;
    throw new AppError('runOfRun', 409, text);
  }
  if (!run || run.ChecklistRunId === null) return;
  if (scope === 'All') {
    throw new AppError('runOfChecklist', 409, 'This run is a step of a checklist and cannot be purged alone');
  }
  if (run.KeptRunId === null && run.Status !== null && hasSucceeded(run.Status)) return;
  const text = 'This run is a step of a checklist that may be resumed and would then need its data';
  throw new AppError('runOfChecklist', 409, text);
}

function messageOf(person: Person, scope: PurgeScope): string {
  const files = scope === 'InputFiles' ? 'input' : 'output';
  return `The ${files} files of this run were purged by ${fullName({ ...person, MiddleName: '' })}`;
}
