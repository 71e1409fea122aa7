/** Maintenance mode: nothing new is started, and current runs finish. */
import { AppError } from '#server/base/app-error.ts';
import type { ServerState } from '#server/base/server-state.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import { startBatch } from '#shared/contract/batches.ts';
import { resumeChecklistRun } from '#shared/contract/checklist-resumes.ts';
import { startChecklist } from '#shared/contract/checklist-runs.ts';
import { retryChildRuns } from '#shared/contract/child-runs.ts';
import { publicStartRun } from '#shared/contract/public-runs.ts';
import { retryRuns } from '#shared/contract/run-failures.ts';
import { retryRun, startRun } from '#shared/contract/runs.ts';
import { inboundCall } from '#shared/contract/triggers.ts';

export interface MaintenanceService {
  current(): Promise<{ Text: string | null }>;
  /** Logged as a security action. Other servers react within seconds, this one immediately. */
  set(actor: Actor, text: string | null): Promise<{ Text: string | null }>;
}

const SETTING = 'Maintenance';
/**
 * Status "Locked": the call is valid and may be repeated later. A client does not mistake it for an unreachable server.
 */
const LOCKED = 423;

const STARTS = [
  startBatch,
  startRun,
  retryRun,
  retryRuns,
  publicStartRun,
  startChecklist,
  resumeChecklistRun,
  retryChildRuns,
  inboundCall,
];
const STARTING_PATHS = new Set(STARTS.map(({ path }) => path));

/** Returns whether a call starts something. @param route as declared */
export const isStart = (route: string): boolean => STARTING_PATHS.has(route);

/** Throws an AppError with the maintenance text if a call would start something. @param route as declared */
export function refuseStarts({ maintenance }: Readonly<ServerState>, route: string): void {
  if (maintenance !== null && isStart(route)) throw new AppError('maintenance', LOCKED, maintenance);
}

export async function readMaintenance({ knex }: Pick<Database, 'knex'>): Promise<string | null> {
  const row = await knex('Settings').where({ Name: SETTING }).first('Value');
  return row?.Value ?? null;
}

export function createMaintenanceService(database: Database, state: ServerState): MaintenanceService {
  const { knex, dialect } = database;
  return {
    current: async () => ({ Text: await readMaintenance(database) }),
    set: async (actor, text) => {
      await inTransaction(knex, async (trx) => {
        if (text === null) await trx('Settings').where({ Name: SETTING }).delete();
        else {
          const rows = [{ Name: SETTING, Value: text }];
          await dialect.upsert(trx, { table: 'Settings', key: ['Name'], update: ['Value'], rows });
        }
        await recordActions(trx, actor, [{ Action: text === null ? 'EndMaintenance' : 'BeginMaintenance' }]);
      });
      state.maintenance = text;
      return { Text: text };
    },
  };
}
