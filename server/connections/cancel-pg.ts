import { Client } from 'pg';

/** Sends a cancellation on request, and reports when it has arrived. */
export interface Cancellation {
  send: () => void;
  /**
   * Await this before the connection is used for anything else: the server cancels whatever its process is executing
   * when the request arrives, which may be the next statement. Never rejects.
   */
  settled: () => Promise<void>;
}

/** @param cancel ends the current statement of a server process */
export function cancellation(cancel: () => Promise<void>): Cancellation {
  let sent: Promise<void> = Promise.resolve();
  return {
    send: () => {
      sent = cancel().catch(() => undefined);
    },
    settled: () => sent,
  };
}

/**
 * Ends the current statement of a server process over a separate connection, because all connections of the pool may be
 * busy.
 */
export async function cancelPg(url: string, processId: number): Promise<void> {
  const client = new Client({ connectionString: url, application_name: 'runsheet', connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_cancel_backend($1)', [processId]);
  } finally {
    await client.end();
  }
}
