import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { watchSent } from './mssql-rules/watch-sent.ts';
import { shareConnections } from './warm-connections.ts';

export interface FreshDatabase {
  database: Database;
  url: string;
  /** Closes the pool and drops the database. */
  drop: () => Promise<void>;
}

/**
 * Transient errors. Compatible servers of other vendors sometimes reject two concurrent 'create database' statements.
 * They may also keep running statements of a killed process for a moment, and cannot drop its database during this
 * time.
 */
const TRANSIENT = /tuple concurrently updated|currently in use/;
const PAUSE_MS = 250;
/** One minute in total: on a busy machine, a server can take many seconds to end a session after it was closed. */
const ATTEMPTS = 240;

export async function retryWhileBusy(statement: () => PromiseLike<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return void (await statement());
    } catch (error) {
      if (attempt === ATTEMPTS || !TRANSIENT.test((error as Error).message)) throw error;
      await pause(PAUSE_MS);
    }
  }
}

/** Creates an empty database on a server given by URL. Its user must be allowed to create databases. */
export async function freshDatabase(serverUrl: string, options: { poolSize?: number } = {}): Promise<FreshDatabase> {
  if (serverUrl.startsWith('mssql:')) watchSent();
  const name = `runsheet_test_${randomBytes(6).toString('hex')}`;
  const server = createDatabase({ url: serverUrl });
  if (server.dialect.name === 'mssql') shareConnections(server.knex, 'master');
  await retryWhileBusy(() => server.knex.raw('create database ??', [name]));
  const address = new URL(serverUrl);
  address.pathname = `/${name}`;
  const database = createDatabase({ url: address.href, ...options });
  if (database.dialect.name === 'mssql') shareConnections(database.knex, name);
  return {
    database,
    url: address.href,
    drop: async () => {
      await database.close();
      // A server may need a moment to notice that a connection was closed, and cannot drop a database in use.
      if (server.dialect.name === 'pg') await server.knex.raw('drop database ?? with (force)', [name]);
      else {
        await server.knex.raw('alter database ?? set single_user with rollback immediate', [name]);
        await retryWhileBusy(() => server.knex.raw('drop database ??', [name]));
      }
      await server.close();
    },
  };
}
