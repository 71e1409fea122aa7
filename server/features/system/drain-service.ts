/**
 * Drains one server: it accepts no new runs, reports "not ready" and finishes its current runs. Draining can be
 * cancelled.
 */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import { askToDrain } from './servers-repository.ts';

export interface DrainService {
  /** Logged as a security action if it changes anything. The server reacts at its next heartbeat. */
  set(actor: Actor, serverId: string, drain: boolean): Promise<{ IsDrainAsked: boolean }>;
}

export function createDrainService({ knex }: Pick<Database, 'knex'>): DrainService {
  return {
    set: async (actor, serverId, drain) => {
      await inTransaction(knex, async (trx) => {
        const asked = await askToDrain(trx, serverId, drain);
        if (!asked) throw new AppError('serverNotFound', 404, 'This server no longer exists');
        if (!asked.isChanged) return;
        const Action = drain ? 'DrainServer' : 'EndServerDrain';
        await recordActions(trx, actor, [{ Action, KeyColumnName: 'Server', KeyColumnValue: asked.Name }]);
      });
      return { IsDrainAsked: drain };
    },
  };
}
