import { OFFLINE_DAYS_DEFAULT, OFFLINE_DAYS_MAX, type OfflineReading } from '#shared/contract/offline-reading.ts';
import type { Database } from '#server/db/database.ts';
import { dialectOf } from '#server/db/dialect/dialect.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';

export interface OfflineReadingService {
  current(): Promise<OfflineReading>;
  /** Logged as a security action, because it decides what data is stored on people's computers. */
  set(actor: Actor, wanted: OfflineReading): Promise<OfflineReading>;
}

const SETTING = 'OfflineDays';

export function createOfflineReadingService({ knex }: Database): OfflineReadingService {
  return {
    current: async () => {
      const row = await knex('Settings').where('Name', SETTING).first('Value');
      return { Days: daysOf(row?.Value) };
    },
    set: async (actor, { Days }) => {
      await inTransaction(knex, async (trx) => {
        const row = { Name: SETTING, Value: String(Days) };
        await dialectOf(trx).upsert(trx, { table: 'Settings', key: ['Name'], update: ['Value'], rows: [row] });
        const what = { KeyColumnName: 'Days', KeyColumnValue: row.Value };
        await recordActions(trx, actor, [{ Action: 'SetOfflineReading', ...what }]);
      });
      return { Days };
    },
  };
}

/** An unreadable setting allows nothing. */
function daysOf(text: string | undefined): number {
  if (text === undefined) return OFFLINE_DAYS_DEFAULT;
  const days = Number(text);
  return Number.isInteger(days) && days >= 0 && days <= OFFLINE_DAYS_MAX ? days : 0;
}
