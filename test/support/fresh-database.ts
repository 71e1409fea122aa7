import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { watchSent } from './mssql-rules/watch-sent.ts';
import { shareConnections } from './warm-connections.ts';

export interface FreshDatabase {
  database: Database;
  url: string;
  /** Closes and drops it. */
  drop: () => Promise<void>;
}

/**
 * Servers of other makers refuse two 'create database' at once now and then, and may go on for a moment with the statements of a process that
 * was killed, whose database they do not drop meanwhile.
 */
const PASSING = /tuple concurrently updated|currently in use/;
const PAUSE_MS = 250;
/** A minute: on a busy machine a server has not ended a session for many seconds after it was closed. */
const ATTEMPTS = 240;

export async function patiently(statement: () => PromiseLike<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return void (await statement());
    } catch (error) {
      if (attempt === ATTEMPTS || !PASSING.test((error as Error).message)) throw error;
      await pause(PAUSE_MS);
    }
  }
}

/** A database of its own, without tables, on a server given by URL, whose user must be allowed to create databases. */
export async function freshDatabase(serverUrl: string, options: { poolSize?: number } = {}): Promise<FreshDatabase> {
  if (serverUrl.startsWith('mssql:')) watchSent();
  const name = `runsheet_test_${randomBytes(6).toString('hex')}`;
  const server = createDatabase({ url: serverUrl });
  if (server.dialect.name === 'mssql') shareConnections(server.knex, 'master');
  await patiently(() => server.knex.raw('create database ??', [name]));
  const address = new URL(serverUrl);
  address.pathname = `/${name}`;
  const database = createDatabase({ url: address.href, ...options });
  if (database.dialect.name === 'mssql') shareConnections(database.knex, name);
  return {
    database,
    url: address.href,
    drop: async () => {
      await database.close();
      // A server may take a moment to notice that a connection was closed, and drops no database that one is in.
      if (server.dialect.name === 'pg') await server.knex.raw('drop database ?? with (force)', [name]);
      else {
        await server.knex.raw('alter database ?? set single_user with rollback immediate', [name]);
        await patiently(() => server.knex.raw('drop database ??', [name]));
      }
      await server.close();
    },
  };
}
