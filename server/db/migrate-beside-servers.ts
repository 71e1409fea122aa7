/** Protects servers of the previous version that use the same database while the new version starts and migrates it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { StartError } from '#server/base/start-error.ts';
import { SERVER_GONE_SECONDS } from '#shared/contract/system.ts';
import type { Database } from './database.ts';

export interface LandedMigration extends Knex.Migration {
  /**
   * Set by a migration that removes or renames something that the previous version reads: it waits until no server is
   * running. All other migrations only add things, and the columns that they add have defaults.
   */
  needsStandstill?: true;
}

/** Migrations that were released before this property existed. */
const NEED_STANDSTILL = new Set(['0028-approvals', '0052-encrypted-columns', '0061-encrypted-secrets']);

/** A killed server counts as running until it has been silent for this long. */
export const STANDSTILL_TIMEOUT_MS = (SERVER_GONE_SECONDS + 10) * 1000;
const POLL_INTERVAL_MS = 500;
/** While a change of a table waits for a lock, all other users of the table wait behind it. */
const LOCK_WAIT_MS = 3_000;

interface NamedMigration {
  name: string;
  migration: LandedMigration;
}

/**
 * If a migration needs it, waits until no server is running. Throws a StartError that names the servers that keep
 * running.
 */
export async function awaitStandstill(
  database: Database,
  pending: readonly NamedMigration[],
  timeoutMs: number,
): Promise<void> {
  const breaking = pending.find(({ name, migration }) => migration.needsStandstill || NEED_STANDSTILL.has(name));
  if (!breaking || !(await database.knex.schema.hasTable('Servers'))) return;
  const until = performance.now() + timeoutMs;
  for (;;) {
    const atWork = await serversAtWork(database);
    if (atWork.length === 0) return;
    if (performance.now() > until) throw new StartError(stopFirst(breaking.name, atWork));
    await pause(POLL_INTERVAL_MS);
  }
}

async function serversAtWork({ knex, dialect }: Database): Promise<string[]> {
  const since = dialect.nowPlus(knex, -SERVER_GONE_SECONDS);
  const rows = await knex('Servers').where('LastTime', '>', since).select('Name', 'Version');
  return rows.map(({ Name, Version }) => `${Name} (${Version})`).toSorted();
}

const stopFirst = (migration: string, servers: readonly string[]): string =>
  `this version changes what servers of the version before read ("${migration}"), and some are at work: ${servers.join(', ')}; stop them all, then start this one`;

/** Wraps migrations so that each stops waiting for a lock after some seconds and can be run again. */
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
            // On SQL Server, the limit would outlast the transaction. PostgreSQL rejects this statement in a failed
            // transaction, but forgets the limit with it.
            await dialect.limitLockWait(trx, null).catch(() => {});
            throw error;
          }
          await dialect.limitLockWait(trx, null);
        },
      };
    },
  };
}
