/** The database for a command beside the portal, with the portal's own settings. */
import type { Log } from '#server/base/log.ts';
import { StartError } from '#server/base/start-error.ts';
import type { Config } from '#server/config/config-schema.ts';
import { createDatabase, type Database } from '#server/db/database.ts';
import { DataDirInUse } from '#server/db/embedded/data-dir-lock.ts';
import { hasCluster } from '#server/db/embedded/cluster.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { findRunningPostgres } from '#server/db/embedded/running-postgres.ts';
import { migrateToLatest } from '#server/db/migrate.ts';
import { outageOf, outageReason } from '#server/db/outage.ts';

/**
 * Runs `work` on the configured database, or on the embedded one: that of a portal that runs, or brought up for as long. The tables are
 * brought up to date but for those of a running portal, which are as it needs them. Throws a StartError for what an operator must fix, also where
 * the database goes away while it works.
 */
export async function withCommandDatabase<T>(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Log,
  work: (database: Database) => Promise<T>,
  { migrate = true, isAlone = false, mayBeNew = false }: CommandDatabaseOptions = {},
): Promise<T> {
  const isEmbedded = databaseUrl === '';
  if (isEmbedded && !mayBeNew) await requireDatabase(dataDir);
  const found = isEmbedded ? await openEmbedded(dataDir, log, isAlone) : { url: databaseUrl, isOurs: true };
  const database = createDatabase({ url: found.url });
  try {
    if (migrate && found.isOurs) await migrateToLatest(database);
    return await work(database);
  } catch (error) {
    throw explainOutage(database, error);
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
  /** Sets up an embedded database where the data folder has none. Otherwise a wrong RUNSHEET_DATA_DIR would pass for an empty portal. */
  mayBeNew?: boolean;
}

async function requireDatabase(dataDir: string): Promise<void> {
  if (await hasCluster(dataDir)) return;
  throw new StartError(
    `the data folder ${dataDir} holds no database: set RUNSHEET_DATA_DIR or RUNSHEET_DATABASE_URL as the portal has them`,
  );
}

/** The same error, unless it says that the database is away or full. */
function explainOutage({ dialect }: Database, error: unknown): unknown {
  if (error instanceof StartError) return error;
  const outage = outageOf(dialect, error);
  if (outage === null) return error;
  const what = outage === 'full' ? 'has no room left' : 'cannot be reached, or it closed the connection';
  const fix = outage === 'full' ? 'make room' : 'check that it runs and that RUNSHEET_DATABASE_URL is right';
  return new StartError(`the database ${what}: ${outageReason(error)}; ${fix}, then run the command again`, {
    cause: error,
  });
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
