/**
 * The sample database in the embedded PostgreSQL, as the connection Samples. If it cannot be created, everything else
 * still works.
 */
import type { Logger } from 'pino';
import type { Config } from '#server/config/config-schema.ts';
import type { NamedConnections } from '#server/config/connection-settings.ts';
import type { EmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { fillSampleDatabase, provisionSampleDatabase, SAMPLE_SCHEMA } from '#server/db/embedded/sample-database.ts';
import type { RunningParts } from '#server/background/running-parts.ts';

export const SAMPLE_CONNECTION = 'Samples';

export interface SampleDatabase {
  connections: NamedConnections;
  /**
   * Fills the database if it is empty and then calls `onFilled`. Both run in the background and end with the portal.
   */
  fillInBackground(parts: RunningParts, onFilled: (signal: AbortSignal) => Promise<void>): void;
}

/**
 * Returns null if there is none: with a shared database, if samples are turned off, or if a configured connection has
 * its name.
 */
export async function openSampleDatabase(
  { samples, connections }: Pick<Config, 'samples' | 'connections'>,
  embedded: EmbeddedPostgres | null,
  log: Logger,
): Promise<SampleDatabase | null> {
  if (!samples || !embedded) return null;
  if (Object.keys(connections).some((name) => name.toLowerCase() === SAMPLE_CONNECTION.toLowerCase())) return null;
  try {
    const url = await provisionSampleDatabase(embedded);
    return {
      connections: {
        [SAMPLE_CONNECTION]: { url, description: 'Made-up orders to try things on', procedureSchemas: [SAMPLE_SCHEMA] },
      },
      fillInBackground: (parts, onFilled) => fillInBackground(embedded, log, parts, onFilled),
    };
  } catch (err) {
    log.warn({ err }, 'could not create the sample database');
    return null;
  }
}

function fillInBackground(
  embedded: EmbeddedPostgres,
  log: Logger,
  parts: RunningParts,
  onFilled: (signal: AbortSignal) => Promise<void>,
): void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const fill = async (): Promise<void> => {
    const since = performance.now();
    const filled = await fillSampleDatabase(embedded, signal);
    if (filled) log.info({ ms: Math.round(performance.now() - since) }, 'filled the sample database');
    await onFilled(signal);
    log.debug('the sample database is complete');
  };
  const working = fill().catch((err: unknown) => {
    if (!signal.aborted) log.warn({ err }, 'the sample database is incomplete; the next start continues');
  });
  parts.add('sample database', async () => {
    stopping.abort();
    await working;
  });
}
