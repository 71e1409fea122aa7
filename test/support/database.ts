import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { Client } from 'pg';
import { createDatabase } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import type { EmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { migrateToLatest } from '#server/db/migrate.ts';
import { StartError } from '#server/base/start-error.ts';
import { freshDatabase } from './fresh-database.ts';
import { runFolder } from './run-folder.ts';
import { migrationsHash } from './schema/migrations-hash.ts';
import { createSchema } from './schema/sql-server-schema.ts';

export interface TestDatabase extends Database {
  /** RUNSHEET_DATABASE_URL for another process. */
  url: string;
  /** Closes the pool and drops the database; call it in afterAll. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** False for a database without tables. */
  migrated?: boolean;
  poolSize?: number;
  /** The name of a database on the shared PostgreSQL server to copy, instead of the one with all tables and no rows. */
  template?: string;
  /**
   * True for a database behind a named connection whose SQL a test writes for PostgreSQL. It is on PostgreSQL even if
   * the other databases are on another server.
   */
  isPostgres?: boolean;
}

/** A server for the databases of all tests, instead of a PostgreSQL server started by the tests. */
const OTHER_SERVER = 'RUNSHEET_TEST_DATABASE_URL';

/**
 * Creates a database with all tables and no rows on the PostgreSQL server that all tests of a vitest run share. It is
 * copied from a template, which takes some hundredths of a second. Call drop() in afterAll.
 */
export async function testDatabase({
  migrated = true,
  poolSize,
  template,
  isPostgres = false,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const other = isPostgres ? undefined : process.env[OTHER_SERVER];
  if (other) return testDatabaseOn(other, { migrated, poolSize });
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = await sharedServer();
  await asAdmin(server, (client) =>
    client.query(
      `create database ${name} owner runsheet template ${template ?? (migrated ? server.template : 'template0')} strategy file_copy`,
    ),
  );
  const url = urlOf(server.url, name);
  const database = createDatabase({ url, poolSize });
  return {
    ...database,
    url,
    drop: async () => {
      await database.close();
      await asAdmin(server, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}

async function testDatabaseOn(serverUrl: string, { migrated, poolSize }: TestDatabaseOptions): Promise<TestDatabase> {
  const fresh = await freshDatabase(serverUrl, { poolSize });
  try {
    if (migrated) await createTables(fresh.database);
  } catch (error) {
    await fresh.drop();
    throw error;
  }
  return { ...fresh.database, url: fresh.url, drop: () => fresh.drop() };
}

/**
 * Migrations take three times as long on SQL Server, and each database needs them. See
 * docs/decisions/0039-tests-and-checks.md.
 */
export async function createTables(database: Database): Promise<void> {
  const { knex, dialect } = database;
  if (dialect.name !== 'mssql') return void (await migrateToLatest(database));
  await dialect.prepareDatabase(knex);
  await createSchema(knex);
}

interface SharedServer {
  url: string;
  adminUrl: string;
  /** Name of the migrated template database. */
  template: string;
}

let shared: Promise<SharedServer> | undefined;

function sharedServer(): Promise<SharedServer> {
  shared ??= bringUpSharedServer();
  return shared;
}

/** The first process that needs the server starts it, the others adopt it, and global-setup.ts stops it. */
async function bringUpSharedServer(): Promise<SharedServer> {
  const server = await startWhenFree(runFolder());
  try {
    const template = templateName();
    const adminUrl = server.adminUrl('postgres');
    // Only this process holds the folder at this point; no other one creates the template at the same time.
    await ensureTemplate(server, adminUrl, template);
    return { url: server.url, adminUrl, template };
  } finally {
    await server.leave();
  }
}

async function startWhenFree(folder: string): Promise<EmbeddedPostgres> {
  for (;;) {
    try {
      return await startEmbeddedPostgres(folder, pino({ level: 'silent' }), { durable: false });
    } catch (error) {
      if (!(error instanceof StartError && error.message.includes('is in use by another'))) throw error;
      await pause(50);
    }
  }
}

/** The name depends on the contents of the migrations: vitest's watch mode creates a new template when they change. */
const templateName = (): string => `template_${migrationsHash()}`;

async function ensureTemplate(server: EmbeddedPostgres, adminUrl: string, template: string): Promise<void> {
  const target = { adminUrl };
  const found = await asAdmin(target, (client) =>
    client.query('select 1 from pg_database where datname = $1', [template]),
  );
  if (found.rowCount !== 0) return;
  // Use another name until the template is complete.
  const draft = `${template}_draft`;
  await asAdmin(target, (client) => client.query(`drop database if exists ${draft} with (force)`));
  await asAdmin(target, (client) => client.query(`create database ${draft} owner runsheet template template0`));
  const database = createDatabase({ url: urlOf(server.url, draft) });
  try {
    await migrateToLatest(database);
  } finally {
    await database.close();
  }
  await asAdmin(target, (client) => client.query(`alter database ${draft} rename to ${template}`));
}

/** Returns the URL of another database on the same server. */
function urlOf(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

async function asAdmin<T>({ adminUrl }: { adminUrl: string }, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
