/** What migrations owe to servers of the version before, which are at work on the same database while the new one starts. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { StartError } from '#server/base/start-error.ts';
import { SERVER_GONE_SECONDS } from '#shared/contract/system.ts';
import type { Database } from './database.ts';

export interface LandedMigration extends Knex.Migration {
  /**
   * Set by one that takes away or renames what the version before reads: it waits until no server is at work. All others only add, and
   * what they add to tables has a default.
   */
  needsStandstill?: true;
}

/** Landed before there was such a mark. */
const NEED_STANDSTILL = new Set(['0028-approvals', '0052-encrypted-columns', '0061-encrypted-secrets']);

/** A server that was killed is seen as at work until it has been silent for so long. */
export const STANDSTILL_PATIENCE_MS = (SERVER_GONE_SECONDS + 10) * 1000;
const LOOK_MS = 500;
/** While a change of a table waits for a lock, everybody else waits behind it. */
const LOCK_WAIT_MS = 3_000;

interface NamedMigration {
  name: string;
  migration: LandedMigration;
}

/** Waits until no server is at work where a migration needs that. Throws a StartError that names those that do not leave. */
export async function awaitStandstill(
  database: Database,
  pending: readonly NamedMigration[],
  patience: number,
): Promise<void> {
  const breaking = pending.find(({ name, migration }) => migration.needsStandstill || NEED_STANDSTILL.has(name));
  if (!breaking || !(await database.knex.schema.hasTable('Servers'))) return;
  const until = performance.now() + patience;
  for (;;) {
    const atWork = await serversAtWork(database);
    if (atWork.length === 0) return;
    if (performance.now() > until) throw new StartError(stopFirst(breaking.name, atWork));
    await pause(LOOK_MS);
  }
}

async function serversAtWork({ knex, dialect }: Database): Promise<string[]> {
  const since = dialect.nowPlus(knex, -SERVER_GONE_SECONDS) as unknown as Knex.Value;
  const rows = (await knex('Servers').where('LastTime', '>', since).select('Name', 'Version')) as {
    Name: string;
    Version: string;
  }[];
  return rows.map(({ Name, Version }) => `${Name} (${Version})`).toSorted();
}

const stopFirst = (migration: string, servers: readonly string[]): string =>
  `this version changes what servers of the version before read ("${migration}"), and some are at work: ${servers.join(', ')}; stop them all, then start this one`;

/** The same migrations, each of which gives up its wait for a lock after some seconds, to be run again. */
export function limitingLocks<T>(
  { dialect }: Pick<Database, 'dialect'>,
  source: Knex.MigrationSource<T>,
): Knex.MigrationSource<T> {
  return {
    getMigrations: (extensions) => source.getMigrations(extensions),
    getMigrationName: (migration) => source.getMigrationName(migration),
    getMigration: async (file) => {
      const migration = await source.getMigration(file);
      return {
        ...migration,
        up: async (trx) => {
          await dialect.limitLockWait(trx, LOCK_WAIT_MS);
          try {
            await migration.up(trx);
          } catch (error) {
            // On SQL Server it would outlast the transaction; PostgreSQL refuses it in one that failed, and forgets it with that.
            await dialect.limitLockWait(trx, null).catch(() => {});
            throw error;
          }
          await dialect.limitLockWait(trx, null);
        },
      };
    },
  };
}
