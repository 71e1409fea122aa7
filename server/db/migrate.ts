import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import { StartError } from '#server/base/start-error.ts';
import type { Database } from './database.ts';
import {
  awaitStandstill,
  limitingLocks,
  STANDSTILL_TIMEOUT_MS,
  type LandedMigration,
} from './migrate-beside-servers.ts';
import { retryOnConflict } from './transaction.ts';

/** The folder of migrations that is part of the program. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));

const LOCK_NAME = 'runsheet.migrations';
const TABLE_NAME = 'Migrations';

/**
 * Migrations as files that Node runs directly: TypeScript in a checkout, JavaScript in the package. They run in the
 * order of their names.
 */
export function migrationSource(folder: string): Knex.MigrationSource<string> {
  return {
    getMigrations: async () =>
      (await readdir(folder)).filter((file) => /^\d{4}-.*(?<!\.test|\.d)\.[jt]s$/.test(file)).sort(),
    getMigrationName: (file) => file.replace(/\.[jt]s$/, ''),
    getMigration: (file) => import(pathToFileURL(join(folder, file)).href) as Promise<LandedMigration>,
  };
}

/**
 * Migrates the tables to this version of the program and returns the names of the migrations it ran. If several servers
 * start at once, one of them migrates and the others wait. Servers of the previous version may keep running, except
 * during migrations that would break them: those wait up to `patience` milliseconds for these servers to stop. Throws a
 * StartError if the database is newer than the program, if such servers do not stop, or if the login lacks permissions.
 */
export async function migrateToLatest(
  database: Database,
  folder = MIGRATIONS_FOLDER,
  standstillTimeoutMs = STANDSTILL_TIMEOUT_MS,
): Promise<string[]> {
  const { knex, dialect } = database;
  const source = migrationSource(folder);
  await dialect.prepareDatabase(knex);
  // This lock has its own connection, so it ends with this process. Knex's own lock is a table row, which does not.
  return knex.transaction(async (holder) => {
    await dialect.lock(holder, LOCK_NAME);
    await awaitStandstill(database, await pending(knex, source), standstillTimeoutMs);
    const config = {
      migrationSource: limitingLocks(database, source) as Knex.MigrationSource<unknown>,
      tableName: TABLE_NAME,
    };
    try {
      await knex.migrate.forceFreeMigrationsLock(config);
      // Whatever Knex began is rolled back with its transaction.
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
        'the login of the database may not create the tables that this version needs; run `npm run migrate` with a login that may',
        { cause },
      );
    }
  });
}

const TABLES_HELD =
  'the tables cannot be changed while others hold them, such as a backup or a long query; start again when that has ended';

/**
 * Migrates an empty database to the state of another one that had exactly these migrations, to load its rows. Throws a
 * StartError if the program does not know all of them.
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

/**
 * Returns the migrations that the database does not have yet, with their names. Throws a StartError if it has any that
 * the program does not know.
 */
async function pending(
  knex: Knex,
  source: Knex.MigrationSource<string>,
): Promise<{ name: string; migration: LandedMigration }[]> {
  const files = await source.getMigrations([]);
  const isNew = !(await knex.schema.hasTable(TABLE_NAME));
  const done = isNew ? [] : await knex(TABLE_NAME).orderBy('id').pluck<string[]>('name');
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
