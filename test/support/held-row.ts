import type { Database } from '#server/db/database.ts';

/** Returns true if another transaction has locked the only row of a table with the column `n`. */
export async function isRowHeld({ knex, dialect }: Database, table: string): Promise<boolean> {
  return knex.transaction(async (trx) => {
    const options = { table, columns: ['n'], where: () => undefined, orderBy: [{ column: 'n' }] };
    return (await dialect.lockRows(trx, { ...options, locked: 'skip' })).length === 0;
  });
}
