import { createTables, testDatabase } from '#test/support/database.ts';
import { freshDatabase } from '#test/support/fresh-database.ts';
import type { FreshDatabase } from '#test/support/fresh-database.ts';

export type OpenTarget = FreshDatabase;

export interface Target {
  name: string;
  /** Why it cannot be tested here; undefined where it can. */
  missing?: string;
  /** A fresh database without tables. */
  open(): Promise<OpenTarget>;
  /** A fresh database with all tables, made as fast as it can be. */
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

/** Every database that the one suite runs on. */
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
