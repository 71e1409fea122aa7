import { createTables, testDatabase } from '#test/support/database.ts';
import { freshDatabase } from '#test/support/fresh-database.ts';
import type { FreshDatabase } from '#test/support/fresh-database.ts';

export type OpenTarget = FreshDatabase;

export interface Target {
  name: string;
  /** Why the database cannot be tested here; undefined if it can. */
  missing?: string;
  /** Opens a fresh database without tables. */
  open(): Promise<OpenTarget>;
  /** Opens a fresh database with all tables, created in the fastest way. */
  openMigrated(): Promise<OpenTarget>;
}

function byVariable(name: string, variable: string): Target {
  const url = process.env[variable];
  return {
    name,
    missing: url ? undefined : `${variable} is not set`,
    open: () => freshDatabase(url ?? ''),
    openMigrated: async () => {
      const opened = await freshDatabase(url ?? '');
      await createTables(opened.database);
      return opened;
    },
  };
}

async function onEmbedded(migrated: boolean): Promise<OpenTarget> {
  const database = await testDatabase({ migrated });
  return { database, url: database.url, drop: () => database.drop() };
}

/** All databases for the common suite. */
export const TARGETS: Target[] = [
  {
    name: 'the embedded PostgreSQL',
    missing: process.env['RUNSHEET_TEST_DATABASE_URL'] ? '`npm test` runs these on the embedded PostgreSQL' : undefined,
    open: () => onEmbedded(false),
    openMigrated: () => onEmbedded(true),
  },
  byVariable('a PostgreSQL server', 'RUNSHEET_TEST_PG_URL'),
  byVariable('a SQL Server', 'RUNSHEET_TEST_MSSQL_URL'),
];
