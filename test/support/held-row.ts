import type { Database } from '#server/db/database.ts';

/** Whether a transaction of somebody else holds the one row of a table, whose column is `n`: as long as that is at work. */
export async function isRowHeld({ knex, dialect }: Database, table: string): Promise<boolean> {
  return knex.transaction(async (trx) => {
    const options = { table, columns: ['n'], where: () => undefined, orderBy: [{ column: 'n' }] };
    return (await dialect.lockRows(trx, { ...options, locked: 'skip' })).length === 0;
  });
}
