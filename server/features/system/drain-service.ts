/** Draining one server: it takes no new runs and answers not ready, ends what it is at work on, and can be taken back. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Actor } from '#server/features/security-actions/actor.ts';
import { recordActions } from '#server/features/security-actions/record-actions.ts';
import { askToDrain } from './servers-repository.ts';

export interface DrainService {
  /** Logged as a security action where it changes anything. The server heeds it with its next sign of life. */
  set(actor: Actor, serverId: string, drain: boolean): Promise<{ IsDrainAsked: boolean }>;
}

export function createDrainService({ knex }: Pick<Database, 'knex'>): DrainService {
  return {
    set: async (actor, serverId, drain) => {
      await inTransaction(knex, async (trx) => {
        const asked = await askToDrain(trx, serverId, drain);
        if (!asked) throw new AppError('serverNotFound', 404, 'There is no such server any more');
        if (!asked.isChanged) return;
        const Action = drain ? 'DrainServer' : 'EndServerDrain';
        await recordActions(trx, actor, [{ Action, KeyColumnName: 'Server', KeyColumnValue: asked.Name }]);
      });
      return { IsDrainAsked: drain };
    },
  };
}
