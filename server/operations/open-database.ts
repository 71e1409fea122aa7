import type { Logger } from 'pino';
import { StartError } from '#server/base/start-error.ts';
import { isTracing } from '#server/base/tracing.ts';
import type { Config } from '#server/config/config-schema.ts';
import { createDatabase, type Database } from '#server/db/database.ts';
import { protectDataFolder } from '#server/db/embedded/data-folder.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { outageReason } from '#server/db/outage.ts';
import { migrateToLatest } from '#server/db/migrate.ts';
import { refuseHalfRestored } from '#server/operations/backup/restore-mark.ts';
import { traceStatements } from '#server/operations/tracing/trace-statements.ts';
import type { RunningParts } from '#server/background/running-parts.ts';

/** While stopping, the embedded database writes its memory to the disk. */
const EMBEDDED_STOP_LIMIT_MS = 8_000;

export interface OpenDatabase {
  database: Database;
  /** The server of the database, if it is the embedded one. */
  embedded: EmbeddedPostgres | null;
}

/**
 * Opens the configured or the embedded database and migrates its tables. Throws a StartError for problems that an
 * operator must fix.
 */
export async function openDatabase(
  { config, log }: { config: Config; log: Logger },
  parts: RunningParts,
): Promise<OpenDatabase> {
  let embedded: EmbeddedPostgres | null = null;
  let url = config.databaseUrl;
  await protectDataFolder(config.dataDir, log);
  if (url === '') {
    if (config.role !== 'both') {
      throw new StartError(
        `RUNSHEET_ROLE=${config.role} needs a database that several servers can share: set RUNSHEET_DATABASE_URL`,
      );
    }
    const started = await startEmbeddedPostgres(config.dataDir, log);
    parts.add('embedded database', () => started.stop(), EMBEDDED_STOP_LIMIT_MS);
    embedded = started;
    url = started.url;
  }
  const database = createDatabase({ url, poolSize: config.databasePoolSize });
  parts.add('database', () => database.close());
  if (isTracing()) traceStatements(database);
  try {
    const migrations = await migrateToLatest(database);
    if (migrations.length > 0) log.info({ migrations }, 'migrated the database');
    await refuseHalfRestored(database);
  } catch (cause) {
    if (database.dialect.classify(cause).fault !== 'connection') throw cause;
    throw new StartError(`the database cannot be reached: ${outageReason(cause)}`, { cause });
  }
  return { database, embedded };
}
