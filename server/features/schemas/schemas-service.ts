import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';

/** Every portal has a schema to begin with, and one for its samples. */
const ALWAYS = ['General', 'Samples'];

/** Those that each start makes where they are missing. */
export const permanentSchemas = (configured: readonly string[]): string[] => [...new Set([...ALWAYS, ...configured])];

/** Makes the schemas that are not there yet; those that are keep their name and order. Activities belong to one each. */
export async function ensureSchemas(
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
  configured: readonly string[],
): Promise<void> {
  const rows = permanentSchemas(configured).map((Name, index) => ({ Name, DisplayName: Name, Order: index + 1 }));
  await dialect.upsert(knex, { table: 'Schemas', rows, key: ['Name'], update: [] });
}

/** In the order in which they are shown. */
export function listSchemas(db: Db): Promise<{ Name: string; DisplayName: string; Order: number }[]> {
  return db('Schemas')
    .select('Name', 'DisplayName', 'Order')
    .orderBy([{ column: 'Order' }, { column: 'Name' }]);
}
