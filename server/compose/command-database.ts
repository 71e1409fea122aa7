/** The database for a command beside the portal, with the portal's own settings. */
import type { Log } from '#server/base/log.ts';
import { StartError } from '#server/base/start-error.ts';
import type { Config } from '#server/config/config-schema.ts';
import { createDatabase, type Database } from '#server/db/database.ts';
import {
  borrowEmbeddedPostgres,
  startEmbeddedPostgresAlone,
  type BorrowedPostgres,
} from '#server/db/embedded/borrowed-postgres.ts';
import { hasCluster } from '#server/db/embedded/cluster.ts';
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
  { command, migrate = true, isAlone = false, mayBeNew = false }: CommandDatabaseOptions,
): Promise<T> {
  const embedded = databaseUrl === '' ? await openEmbedded(dataDir, log, { command, isAlone, mayBeNew }) : null;
  const database = createDatabase({ url: embedded?.url ?? databaseUrl });
  try {
    if (migrate && !embedded?.isOfServer) await migrateToLatest(database);
    return await work(database);
  } catch (error) {
    throw explainOutage(database, error);
  } finally {
    await database.close();
    await embedded?.release();
  }
}

export interface CommandDatabaseOptions {
  /** As it is called, for others that find the data folder in use. */
  command: string;
  /** False leaves the tables as they are. */
  migrate?: boolean;
  /** Refuses the embedded database of a portal that runs or of another command, and keeps both out. */
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

async function openEmbedded(
  dataDir: string,
  log: Log,
  { command, isAlone, mayBeNew }: Pick<CommandDatabaseOptions, 'command' | 'isAlone' | 'mayBeNew'>,
): Promise<BorrowedPostgres> {
  if (!mayBeNew) await requireDatabase(dataDir);
  return isAlone ? startEmbeddedPostgresAlone(dataDir, log, command) : borrowEmbeddedPostgres(dataDir, log, command);
}
