import { randomBytes } from 'node:crypto';
import { createDatabase } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { watchSent } from './mssql-rules/watch-sent.ts';

export interface FreshDatabase {
  database: Database;
  url: string;
  /** Closes and drops it. */
  drop: () => Promise<void>;
}

/** A database of its own, without tables, on a server given by URL, whose user must be allowed to create databases. */
export async function freshDatabase(serverUrl: string, options: { poolSize?: number } = {}): Promise<FreshDatabase> {
  if (serverUrl.startsWith('mssql:')) watchSent();
  const name = `runsheet_test_${randomBytes(6).toString('hex')}`;
  const server = createDatabase({ url: serverUrl });
  await server.knex.raw('create database ??', [name]);
  const address = new URL(serverUrl);
  address.pathname = `/${name}`;
  const database = createDatabase({ url: address.href, ...options });
  return {
    database,
    url: address.href,
    drop: async () => {
      await database.close();
      // A server may take a moment to notice that a connection was closed, and drops no database that one is in.
      if (server.dialect.name === 'pg') await server.knex.raw('drop database ?? with (force)', [name]);
      else {
        await server.knex.raw('alter database ?? set single_user with rollback immediate', [name]);
        await server.knex.raw('drop database ??', [name]);
      }
      await server.close();
    },
  };
}
