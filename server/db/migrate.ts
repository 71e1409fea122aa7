import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import { StartError } from '#server/base/start-error.ts';
import type { Database } from './database.ts';
import {
  awaitStandstill,
  limitingLocks,
  STANDSTILL_PATIENCE_MS,
  type LandedMigration,
} from './migrate-beside-servers.ts';
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
    getMigration: (file) => import(pathToFileURL(join(folder, file)).href) as Promise<LandedMigration>,
  };
}

/**
 * Brings the tables up to this version of the program and answers the names of the migrations it ran. Of several servers that
 * start at once one does it, and the others wait. Servers of the version before may be at work meanwhile, but for migrations that they could
 * not go on after: those wait so many milliseconds for them to leave. Throws a StartError where the database is already ahead of the program, where such servers do not leave, and where the
 * login may not make what is missing.
 */
export async function migrateToLatest(
  database: Database,
  folder = MIGRATIONS_FOLDER,
  patience = STANDSTILL_PATIENCE_MS,
): Promise<string[]> {
  const { knex, dialect } = database;
  const source = migrationSource(folder);
  await dialect.prepareDatabase(knex);
  // The lock has a connection of its own, so that it ends with this process, unlike Knex's own, a row in a table.
  return knex.transaction(async (holder) => {
    await dialect.lock(holder, LOCK_NAME);
    await awaitStandstill(database, await pending(knex, source), patience);
    const config = {
      migrationSource: limitingLocks(database, source) as Knex.MigrationSource<unknown>,
      tableName: TABLE_NAME,
    };
    try {
      await knex.migrate.forceFreeMigrationsLock(config);
      // What Knex began is taken back with its transaction.
      const [, names] = await retryOnConflict(
        dialect,
        () => knex.migrate.latest(config) as Promise<[number, string[]]>,
      );
      return names;
    } catch (cause) {
      const { fault } = dialect.classify(cause);
      if (fault === 'retryable') throw new StartError(TABLES_HELD, { cause });
      if (fault !== 'denied') throw cause;
      throw new StartError(
        'the login of the database may not make the tables that this version needs; run `npm run migrate` with one that may',
        { cause },
      );
    }
  });
}

const TABLES_HELD =
  'the tables cannot be changed while others hold them, such as a backup or a long query; start again when that has ended';

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

/** Those that the database has not had, by name. Throws a StartError where it has had any that the program does not know. */
async function pending(
  knex: Knex,
  source: Knex.MigrationSource<string>,
): Promise<{ name: string; migration: LandedMigration }[]> {
  const files = await source.getMigrations([]);
  const isNew = !(await knex.schema.hasTable(TABLE_NAME));
  const done = isNew ? [] : ((await knex(TABLE_NAME).orderBy('id').pluck('name')) as string[]);
  const known = new Set(files.map((file) => source.getMigrationName(file)));
  const unknown = done.find((name) => !known.has(name));
  if (unknown !== undefined) throw newer(unknown);
  const left = files.filter((file) => !done.includes(source.getMigrationName(file)));
  return Promise.all(
    left.map(async (file) => ({ name: source.getMigrationName(file), migration: await source.getMigration(file) })),
  );
}

const newer = (migration: string): StartError =>
  new StartError(
    `the database was made by a newer version of Runsheet (it has "${migration}"); start that version, or restore a backup`,
  );
