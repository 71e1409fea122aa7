/** Purging by hand: what runs take, and deleting it. */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import { activityNotFound } from '#server/features/activities/activity-access.ts';
import type { RightsService } from '#server/features/rights/rights-service.ts';
import type { RunAccess } from '#server/features/runs/run-access.ts';
import { fullName } from '#server/base/full-name.ts';
import { startOfDay } from '#server/jobs/schedules/daily-slots.ts';
import type { Person } from '#server/base/person.ts';
import type { PurgeScope, RunDataSize } from '#shared/contract/purge.ts';
import { isPending } from '#shared/contract/run-status.ts';
import { listPurgeable, listRunDataSizes } from './purge-repository.ts';
import { purgeRuns, type PurgeDeps, type PurgeTarget } from './purge-runs.ts';

export interface PurgeService {
  /** @param date '2026-11-14': what was queued before that day. */
  sizes(person: Person, date: string): Promise<RunDataSize[]>;
  /** Answers how many runs or files it deleted; ends early when the signal says so. */
  purge(person: Person, request: PurgeOrder, signal: AbortSignal): Promise<number>;
  purgeRun(person: Person, runId: number, scope: PurgeScope): Promise<number>;
}

export interface PurgeOrder {
  date: string;
  scope: PurgeScope;
  activityIds: readonly number[];
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
    sizes: async (person, date) => {
      const scope = await rights.scope(person, 'sk.PurgeRuns');
      return listRunDataSizes(knex, dialect, startOfDay(date, timeZone), scope);
    },
    purge: async (person, { date, scope, activityIds }, signal) => {
      const purgeable = await listPurgeable(knex, activityIds, await rights.scope(person, 'sk.PurgeRuns'));
      if (purgeable.length < new Set(activityIds).size) throw activityNotFound();
      const before = startOfDay(date, timeZone);
      let count = 0;
      for (const ActivityId of purgeable) {
        const where = (query: Knex.QueryBuilder): void =>
          void query.where({ ActivityId }).where('QueueTime', '<', before);
        count += await purgeRuns(deps, { target: TARGETS[scope], where, message: messageOf(person, scope) }, signal);
      }
      return count;
    },
    purgeRun: async (person, runId, scope) => {
      const { run, CanPurge } = await runAccess.require(knex, person, runId);
      if (!CanPurge) throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
      if (isPending(run.Status)) throw new AppError('runPending', 409, 'The run has not ended yet');
      const where = (query: Knex.QueryBuilder): void => void query.where('Id', runId);
      return purgeRuns(deps, { target: TARGETS[scope], where, message: messageOf(person, scope) });
    },
  };
}

function messageOf(person: Person, scope: PurgeScope): string {
  const files = scope === 'InputFiles' ? 'input' : 'output';
  return `The ${files} files of this run were purged by ${fullName({ ...person, MiddleName: '' })}`;
}
