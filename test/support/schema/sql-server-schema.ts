/** The squashed schema: all tables of the program on SQL Server as a few batches, so that a test database needs no migrations. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Knex } from 'knex';
import { migrationsHash } from './migrations-hash.ts';

/** Made by `npm run schema`. */
export const SCHEMA_FILE = fileURLToPath(new URL('sql-server.sql', import.meta.url));

export const SEPARATOR = '\nGO\n';

/** The first line of the file. */
export const header = (hash: string): string =>
  `-- The migrations with the hash ${hash}, squashed by \`npm run schema\`.`;

/** Throws where a migration was added or changed since the file was made. */
export function readSchema(): string[] {
  const [first, ...batches] = readFileSync(SCHEMA_FILE, 'utf8').replaceAll('\r\n', '\n').trimEnd().split(SEPARATOR);
  if (first !== header(migrationsHash())) {
    throw new Error(
      'A migration was added or changed: run `npm run schema` and commit test/support/schema/sql-server.sql',
    );
  }
  return batches;
}

/** Makes all tables in an empty database. */
export async function createSchema(knex: Knex): Promise<void> {
  // Without bindings, a question mark would be one.
  for (const batch of readSchema()) await knex.raw(batch.replaceAll('?', String.raw`\?`));
}
