import type { Database } from '#server/db/database.ts';

const RETENTION_SECONDS = 90 * 86_400;
const BATCH_SIZE = 1000;

/**
 * Deletes firings of rules that are older than three months, with their notices. A rule may fire for every run, so they
 * would otherwise accumulate.
 */
export async function deleteOldFirings(
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
  signal?: AbortSignal,
): Promise<void> {
  const rules = knex('Alerts').whereNotNull('Scope').select('Id');
  for (let deleted = BATCH_SIZE; deleted > 0;) {
    if (signal?.aborted) return;
    deleted = await dialect.deleteChunk(knex, {
      table: 'AlertFirings',
      key: 'Id',
      where: (query) =>
        void query.where('Time', '<', dialect.nowPlus(knex, -RETENTION_SECONDS)).whereIn('AlertId', rules),
      limit: BATCH_SIZE,
    });
  }
}
