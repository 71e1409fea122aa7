/** A connection to PostgreSQL for the duration of some work. Aborting the work also ends it in the database. */
import type { Client } from 'pg';
import { Client as PgClient } from 'pg';
import type { ConnectionTarget } from '../connection-target.ts';

export type PgSession = Client & { processID: number; __knex__disposed?: unknown };

interface Pooling {
  acquireConnection(): Promise<PgSession>;
  releaseConnection(connection: PgSession): Promise<void>;
}

/** Milliseconds between attempts to end a procedure that catches cancellations. */
const AGAIN_AFTER = 1000;
/**
 * After this many cancellations, the server process is terminated; after this many terminations, the connection is
 * abandoned.
 */
const CANCELS = 4;
const TERMINATIONS = 3;

/**
 * A connection on which something was cancelled is not used again: a late cancellation would end its next statement,
 * which belongs to someone else. A connection that could not be cleaned from settings, locks and prepared statements of
 * a procedure is not used again either.
 */
export async function withPgSession<T>(
  { url, database }: Pick<ConnectionTarget, 'url' | 'database'>,
  signal: AbortSignal,
  work: (client: PgSession) => Promise<T>,
  { isCatalog = false }: { isCatalog?: boolean } = {},
): Promise<T> {
  signal.throwIfAborted();
  const pooling = database.knex.client as Pooling;
  const client = await pooling.acquireConnection();
  const ending = new Ending(url, client);
  signal.addEventListener('abort', ending.begin);
  try {
    return await work(client);
  } finally {
    signal.removeEventListener('abort', ending.begin);
    await ending.over();
    await clean(client, { isSpent: ending.isStarted, isCatalog });
    await pooling.releaseConnection(client);
  }
}

/** After reading only the catalog, nothing outlasts the transaction. */
async function clean(
  client: PgSession,
  { isSpent, isCatalog }: { isSpent: boolean; isCatalog: boolean },
): Promise<void> {
  try {
    await within(client.query('rollback'));
    if (!isSpent && isCatalog) return;
    if (!isSpent) return void (await client.query('discard all'));
    client.__knex__disposed = 'something was cancelled on it';
  } catch (error) {
    client.__knex__disposed = error;
  }
  // The pool would close it only when the next connection is requested. A connection that does not respond is
  // destroyed.
  await within(client.end()).catch(() => letGo(client));
}

const RESPONSE_TIMEOUT_MS = 5000;

function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the database does not answer')), RESPONSE_TIMEOUT_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const letGo = (client: PgSession): void => {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
};

/** Cancels the statement repeatedly, because a procedure may catch that; then terminates the server process. */
class Ending {
  readonly begin: () => void;
  isStarted = false;
  private isOver = false;
  private wake: () => void = () => undefined;
  private loop: Promise<void> = Promise.resolve();

  constructor(url: string, client: PgSession) {
    this.begin = () => {
      this.isStarted = true;
      this.loop = this.end(url, client);
    };
  }

  /** Call when the work has ended. Resolves when no cancellation is in progress any more. */
  async over(): Promise<void> {
    this.isOver = true;
    this.wake();
    await this.loop;
  }

  private async end(url: string, client: PgSession): Promise<void> {
    for (let attempt = 0; !this.isOver && attempt < CANCELS + TERMINATIONS; attempt += 1) {
      const how = attempt < CANCELS ? 'pg_cancel_backend' : 'pg_terminate_backend';
      await signalBackend(url, how, client.processID).catch(() => undefined);
      if (!this.isOver) await this.pause();
    }
    if (!this.isOver) letGo(client);
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, AGAIN_AFTER);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Uses a separate connection, because all connections of the pool may be busy. */
async function signalBackend(
  url: string,
  how: 'pg_cancel_backend' | 'pg_terminate_backend',
  processId: number,
): Promise<void> {
  const client = new PgClient({
    connectionString: url,
    application_name: 'runsheet',
    connectionTimeoutMillis: RESPONSE_TIMEOUT_MS,
    query_timeout: RESPONSE_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`select ${how}($1)`, [processId]);
  } finally {
    await client.end();
  }
}
