import { Client } from 'pg';

/** Sends a cancellation when it is told to, and says when that has arrived. */
export interface Cancellation {
  send: () => void;
  /**
   * To be waited for before the connection works for anybody else: the server cancels whatever its process works on when the request
   * arrives, which may be the statement of the next one. Never rejects.
   */
  settled: () => Promise<void>;
}

/** @param cancel ends the statement that a process of the server works on */
export function cancellation(cancel: () => Promise<void>): Cancellation {
  let sent: Promise<void> = Promise.resolve();
  return {
    send: () => {
      sent = cancel().catch(() => undefined);
    },
    settled: () => sent,
  };
}

/** Ends the statement that a process of the server works on, from a connection of its own: the pool may be busy to the last. */
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
