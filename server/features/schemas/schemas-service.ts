import type { Database } from '#server/db/database.ts';

/** Every portal starts with a default schema and one for its samples. */
const ALWAYS = ['General', 'Samples'];

/** Returns the schemas that each start creates if they are missing. */
export const permanentSchemas = (configured: readonly string[]): string[] => [...new Set([...ALWAYS, ...configured])];

/** Creates missing schemas. Existing ones keep their name and order. Each activity belongs to one schema. */
export async function ensureSchemas(
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
  configured: readonly string[],
): Promise<void> {
  const rows = permanentSchemas(configured).map((Name, index) => ({ Name, DisplayName: Name, Order: index + 1 }));
  await dialect.upsert(knex, { table: 'Schemas', rows, key: ['Name'], update: [] });
}
