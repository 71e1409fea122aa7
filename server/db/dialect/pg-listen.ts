import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { KEEP_ALIVE } from '#server/db/pg-client.ts';
import type { Listening } from './types.ts';

const MIN_WAIT_MS = 100;
const MAX_WAIT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Runs LISTEN on a dedicated connection that is restored whenever it is lost. Rejects only if the first connection
 * fails.
 */
export async function listenOnPostgres(
  url: string,
  channel: string,
  onMessage: (payload: string) => void,
  reconnected: () => void,
): Promise<Listening> {
  const closed = new AbortController();
  let client = await connect(url, channel, onMessage);
  const reconnecting = keepConnected();

  async function keepConnected(): Promise<void> {
    while (!closed.signal.aborted) {
      await lost(client, closed.signal);
      for (let wait = MIN_WAIT_MS; !closed.signal.aborted; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
        await pause(wait, undefined, { signal: closed.signal, ref: false }).catch(() => {});
        if (closed.signal.aborted) return;
        try {
          client = await connect(url, channel, onMessage);
          reconnected();
          break;
        } catch {
          // The server is not available again yet.
        }
      }
    }
  }

  return {
    close: async () => {
      closed.abort();
      // A connection attempt in progress, or a server that does not respond, must not delay the stop.
      await Promise.race([reconnecting, pause(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
      await endClient(client);
    },
  };
}

async function connect(url: string, channel: string, onMessage: (payload: string) => void): Promise<Client> {
  const client = new Client({ connectionString: url, ...KEEP_ALIVE, application_name: 'runsheet listener' });
  client.on('error', () => {});
  client.on('notification', (message) => onMessage(message.payload ?? ''));
  await client.connect();
  await client.query(`listen ${client.escapeIdentifier(channel)}`);
  return client;
}

/** Ends the connection politely, and destroys the socket if no response comes. */
async function endClient(client: Client): Promise<void> {
  const ended = client.end().catch(() => {});
  await Promise.race([ended, pause(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

/** Resolves when the connection ends or the listener is closed. */
function lost(client: Client, closed: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    client.once('end', () => resolve());
    closed.addEventListener('abort', () => resolve(), { once: true });
  });
}
