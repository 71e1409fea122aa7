import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import { StartError } from '#server/base/start-error.ts';
import type { Database } from './database.ts';
import { retryOnConflict } from './transaction.ts';

/** The folder of migrations that comes with the program. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));

const LOCK_NAME = 'runsheet.migrations';
const TABLE_NAME = 'Migrations';

/** Migrations as files that Node runs as they are: TypeScript of a checkout, JavaScript of the package. Their order is that of their names. */
export function migrationSource(folder: string): Knex.MigrationSource<string> {
  return {
    getMigrations: async () =>
      (await readdir(folder)).filter((file) => /^\d{4}-.*(?<!\.test|\.d)\.[jt]s$/.test(file)).sort(),
    getMigrationName: (file) => file.replace(/\.[jt]s$/, ''),
    getMigration: (file) => import(pathToFileURL(join(folder, file)).href) as Promise<Knex.Migration>,
  };
}

/**
 * Brings the tables up to this version of the program and answers the names of the migrations it ran. Of several servers that
 * start at once one does it, and the others wait. Throws a StartError where the database is already ahead of the program, and where the
 * login may not make what is missing.
 */
export async function migrateToLatest({ knex, dialect }: Database, folder = MIGRATIONS_FOLDER): Promise<string[]> {
  const config = { migrationSource: migrationSource(folder) as Knex.MigrationSource<unknown>, tableName: TABLE_NAME };
  await dialect.prepareDatabase(knex);
  // The lock has a connection of its own, so that it ends with this process, unlike Knex's own, a row in a table.
  return knex.transaction(async (holder) => {
    await dialect.lock(holder, LOCK_NAME);
    await checkNotAhead(knex, config.migrationSource);
    try {
      await knex.migrate.forceFreeMigrationsLock(config);
      // Servers of the version before may be at work meanwhile. What Knex began is taken back with its transaction.
      const [, names] = await retryOnConflict(
        dialect,
        () => knex.migrate.latest(config) as Promise<[number, string[]]>,
      );
      return names;
    } catch (cause) {
      if (dialect.classify(cause).fault !== 'denied') throw cause;
      throw new StartError(
        'the login of the database may not make the tables that this version needs; run `npm run migrate` with one that may',
        { cause },
      );
    }
  });
}

/**
 * Brings an empty database to where another one stood that had had these migrations, for its rows. Throws a StartError where the program has not all
 * of them.
 */
export async function migrateExactly({ knex, dialect }: Database, names: readonly string[]): Promise<void> {
  const source = migrationSource(MIGRATIONS_FOLDER);
  const all = await source.getMigrations([]);
  const unknown = names.find((name) => !all.some((file) => source.getMigrationName(file) === name));
  if (unknown !== undefined) throw newer(unknown);
  const chosen = all.filter((file) => names.includes(source.getMigrationName(file)));
  const migrationSourceOfThem = { ...source, getMigrations: () => Promise.resolve(chosen) };
  await dialect.prepareDatabase(knex);
  await knex.migrate.latest({
    migrationSource: migrationSourceOfThem as Knex.MigrationSource<unknown>,
    tableName: TABLE_NAME,
  });
}

async function checkNotAhead(knex: Knex, source: Knex.MigrationSource<unknown>): Promise<void> {
  if (!(await knex.schema.hasTable(TABLE_NAME))) return;
  const known = new Set((await source.getMigrations([])).map((migration) => source.getMigrationName(migration)));
  const done = (await knex(TABLE_NAME).orderBy('id').pluck('name')) as string[];
  const unknown = done.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw newer(unknown);
}

const newer = (migration: string): StartError =>
  new StartError(
    `the database was made by a newer version of Runsheet (it has "${migration}"); start that version, or restore a backup`,
  );
