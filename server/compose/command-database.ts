/** The database for a command beside the portal, with the portal's own settings. */
import type { Log } from '#server/base/log.ts';
import type { Config } from '#server/config/config-schema.ts';
import { createDatabase, type Database } from '#server/db/database.ts';
import { DataDirInUse } from '#server/db/embedded/data-dir-lock.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { findRunningPostgres } from '#server/db/embedded/running-postgres.ts';
import { migrateToLatest } from '#server/db/migrate.ts';

/**
 * Runs `work` on the configured database, or on the embedded one: that of a portal that runs, or brought up for as long. The tables are
 * brought up to date but for those of a running portal, which are as it needs them. Throws a StartError for what an operator must mend.
 */
export async function withCommandDatabase<T>(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Log,
  work: (database: Database) => Promise<T>,
  { migrate = true, isAlone = false }: CommandDatabaseOptions = {},
): Promise<T> {
  const found = databaseUrl === '' ? await openEmbedded(dataDir, log, isAlone) : { url: databaseUrl, isOurs: true };
  const database = createDatabase({ url: found.url });
  try {
    if (migrate && found.isOurs) await migrateToLatest(database);
    return await work(database);
  } finally {
    await database.close();
    await found.stop?.();
  }
}

export interface CommandDatabaseOptions {
  /** False leaves the tables as they are. */
  migrate?: boolean;
  /** Refuses the embedded database of a portal that runs. */
  isAlone?: boolean;
}

interface Found {
  url: string;
  isOurs: boolean;
  stop?: () => Promise<void>;
}

async function openEmbedded(dataDir: string, log: Log, isAlone: boolean): Promise<Found> {
  try {
    const embedded = await startEmbeddedPostgres(dataDir, log);
    return { url: embedded.url, isOurs: true, stop: () => embedded.stop() };
  } catch (error) {
    if (isAlone || !(error instanceof DataDirInUse)) throw error;
    return { url: await findRunningPostgres(dataDir), isOurs: false };
  }
}
