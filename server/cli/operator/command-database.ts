/** The database for a CLI command next to the portal, with the portal's settings. */
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
 * Runs `work` on the configured or the embedded database. The embedded one belongs to a running portal, or is started
 * for this time. Migrates the tables, except those of a running portal, which are up to date. Throws a StartError for
 * problems that an operator must fix, also if the database becomes unreachable during the work.
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
  /** Name of the command, shown to others that find the data folder in use. */
  command: string;
  /** False leaves the tables unchanged. */
  migrate?: boolean;
  /** Refuses the embedded database of a running portal or another command, and keeps both out. */
  isAlone?: boolean;
  /**
   * Creates an embedded database if the data folder has none. Otherwise a wrong RUNSHEET_DATA_DIR would look like an
   * empty portal.
   */
  mayBeNew?: boolean;
}

async function requireDatabase(dataDir: string): Promise<void> {
  if (await hasCluster(dataDir)) return;
  throw new StartError(
    `the data folder ${dataDir} contains no database: set RUNSHEET_DATA_DIR or RUNSHEET_DATABASE_URL to the values of the portal`,
  );
}

/** Returns the same error, unless it says that the database is unreachable or full. */
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
