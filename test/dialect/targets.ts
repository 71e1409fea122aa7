import { randomBytes } from 'node:crypto';
import { createDatabase } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { testDatabase } from '#test/support/database.ts';

export interface OpenTarget {
  database: Database;
  url: string;
  /** Closes and drops it. */
  drop(): Promise<void>;
}

export interface Target {
  name: string;
  /** Why it cannot be tested here; undefined where it can. */
  missing?: string;
  /** A fresh database without tables. */
  open(): Promise<OpenTarget>;
}

function byVariable(name: string, variable: string): Target {
  const url = process.env[variable];
  return {
    name,
    missing: url ? undefined : `skipped: ${variable} is not set`,
    open: () => openFresh(url ?? ''),
  };
}

/** A database of its own on a server given by URL, whose user must be allowed to create databases. */
async function openFresh(serverUrl: string): Promise<OpenTarget> {
  const name = `runsheet_test_${randomBytes(6).toString('hex')}`;
  const server = createDatabase({ url: serverUrl });
  await server.knex.raw('create database ??', [name]);
  const address = new URL(serverUrl);
  address.pathname = `/${name}`;
  const database = createDatabase({ url: address.href });
  return {
    database,
    url: address.href,
    drop: async () => {
      await database.close();
      await server.knex.raw('drop database ??', [name]);
      await server.close();
    },
  };
}

/** Every database that the one suite runs on. */
export const TARGETS: Target[] = [
  {
    name: 'the embedded PostgreSQL',
    open: async () => {
      const database = await testDatabase({ migrated: false });
      return { database, url: database.url, drop: () => database.drop() };
    },
  },
  byVariable('a PostgreSQL server', 'RUNSHEET_TEST_PG_URL'),
  byVariable('a SQL Server', 'RUNSHEET_TEST_MSSQL_URL'),
];
