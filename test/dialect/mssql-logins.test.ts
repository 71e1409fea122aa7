/** Runs the manual's scripts that prepare a SQL Server, unchanged, and the portal with the logins that they create. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#server/config/load-config.ts';
import { startServer } from '#server/compose/start-server.ts';
import { createDatabase, type Database } from '#server/db/database.ts';
import { migrateToLatest } from '#server/db/migrate.ts';
import { fault, recordedMssql } from './recorded-mssql.ts';
import { administratorToken } from '#test/faults/administrator-token.ts';
import { doublingWorkbook } from '#test/faults/load.ts';
import { portalClient } from '#test/faults/portal-client.ts';
import { retryWhileBusy } from '#test/support/fresh-database.ts';
import { isOtherMakersServer } from '#test/support/sql-server.ts';
import { until } from '#test/support/until.ts';

const SERVER = process.env['RUNSHEET_TEST_MSSQL_URL'];
const PASSWORD = 'Least-rights-7';
const suffix = randomBytes(4).toString('hex');
const NAMES = ['runsheet_tables', 'runsheet', 'portal_reader', 'portal_writer'];

/** Returns the statements in the SQL block below a heading that contains a word, with names unused on this server. */
async function scriptOf(heading: string, word: string): Promise<string[]> {
  const text = await readFile(new URL('../../docs/administration.md', import.meta.url), 'utf8');
  const section = text.slice(text.indexOf(`\n${heading}\n`));
  const block = [...section.matchAll(/```sql\n(.*?)```/gs)].map(([, sql]) => sql!).find((sql) => sql.includes(word));
  expect(block, `${heading}: ${word}`).toBeDefined();
  const named = block!
    .replaceAll(/^--.*\n/gm, '')
    .replaceAll('…', PASSWORD)
    .replaceAll(/\bRunsheet\b/g, `Runsheet_${suffix}`)
    .replaceAll(new RegExp(`\\b(${NAMES.join('|')})\\b`, 'g'), `$1_${suffix}`);
  return named
    .split(/^GO$/m)
    .map((sql) => sql.trim().replace(/;$/, ''))
    .filter((sql) => sql !== '');
}

function urlOf(user?: string): string {
  const url = new URL(SERVER!);
  url.pathname = `/Runsheet_${suffix}`;
  if (user !== undefined) [url.username, url.password] = [`${user}_${suffix}`, PASSWORD];
  return url.href;
}

describe('logins of a SQL Server with the rights that the manual gives them', () => {
  let admin: Database;
  let inside: Database;
  let isOther = false;
  const lacking: string[] = [];

  /** Compatible servers of other vendors may not support a statement; it is then skipped and reported. */
  async function run(statements: readonly string[]): Promise<void> {
    for (const sql of statements) {
      if (/^use /i.test(sql)) continue;
      const isOfServer = /^(create|alter) (database|login)/i.test(sql);
      try {
        await (isOfServer ? admin : inside).knex.raw(sql);
      } catch (error) {
        if (!isOther || !/not currently supported/.test((error as Error).message)) throw error;
        lacking.push(sql.replaceAll(`_${suffix}`, ''));
      }
    }
  }

  const open = (user: string): Database => createDatabase({ url: urlOf(user), poolSize: 2 });
  async function as<T>(user: string, work: (database: Database) => Promise<T>): Promise<T> {
    const database = open(user);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  beforeAll(async () => {
    if (!SERVER) return;
    admin = createDatabase({ url: SERVER });
    inside = createDatabase({ url: urlOf(), poolSize: 2 });
    isOther = await isOtherMakersServer(admin.knex);
    await run(await scriptOf('### SQL Server', 'CREATE DATABASE'));
  });
  afterAll(async () => {
    if (!SERVER) return;
    await inside.close();
    await admin.knex.raw('alter database ?? set single_user with rollback immediate', [`Runsheet_${suffix}`]);
    await retryWhileBusy(() => admin.knex.raw('drop database ??', [`Runsheet_${suffix}`]));
    for (const name of NAMES) await admin.knex.raw('drop login ??', [`${name}_${suffix}`]).catch(() => {});
    await admin.close();
  });
  beforeEach((context) => context.skip(!SERVER, 'RUNSHEET_TEST_MSSQL_URL is not set'));

  it('run the portal, whose tables another login makes', async () => {
    await expect(as('runsheet', (database) => migrateToLatest(database))).rejects.toThrow(
      isOther ? 'permission denied' : 'npm run migrate',
    );
    // "GRANT Database Permissions", "GRANT Schema Permissions": creating tables requires CREATE TABLE and ALTER of the
    // schema.
    const canMakeTables = !lacking.some((sql) => /^GRANT (CREATE TABLE|ALTER)/.test(sql));
    const tables = canMakeTables
      ? await as('runsheet_tables', (database) => migrateToLatest(database))
      : await migrateToLatest(inside);
    expect(tables).toContain('0001-spine');

    const folder = await mkdtemp(join(tmpdir(), 'runsheet-logins-'));
    const config = loadConfig({
      RUNSHEET_DATABASE_URL: urlOf('runsheet'),
      RUNSHEET_DATA_DIR: folder,
      RUNSHEET_PORT: '0',
      RUNSHEET_ADMIN_PASSWORD: PASSWORD,
      RUNSHEET_WORKER_THREADS: '1',
    });
    const server = await startServer({ config, log: pino({ level: 'silent' }), onAdministrator: () => {} });
    try {
      const { token } = await administratorToken(inside);
      const client = portalClient(() => server.address, token);
      const activity = await client.upload(
        { Id: '0', Schema: 'General', Name: 'Doubling' },
        'Doubling.xlsx',
        await doublingWorkbook(),
      );
      await client.start(activity, 'once', await client.inputId(activity), 21, new AbortController().signal);
      await until('the run has succeeded', async () => (await client.succeeded(1)) === 1);
    } finally {
      await server.stop();
      await rm(folder, { recursive: true });
    }
    await as('runsheet', async ({ knex }) => {
      await expect(knex.raw('create table dbo.mine (id int)')).rejects.toThrow();
      await expect(knex.raw('drop table dbo.RunInputs')).rejects.toThrow();
      await expect(knex.raw('create login mine with password = ?', [PASSWORD])).rejects.toThrow();
    });
  });

  it('read what connections read, and write what they are given to write', async () => {
    await inside.knex.raw('create table dbo.Payments (Id int primary key)');
    await inside.knex.raw('create table dbo.Others (Id int primary key)');
    await run(await scriptOf('### A login that may only read', 'portal_reader;\nGO'));
    await run(await scriptOf('### A login that may only read', 'portal_writer;\nGO'));
    await as('portal_writer', async ({ knex }) => {
      await knex('Payments').insert({ Id: 1 });
      await expect(knex('Others').insert({ Id: 1 })).rejects.toThrow();
    });
    await as('portal_reader', async ({ knex }) => {
      expect(await knex('Payments').pluck('Id')).toEqual([1]);
      for (const write of [knex('Payments').insert({ Id: 2 }), knex('Payments').delete()])
        await expect(write).rejects.toThrow();
    });
  });

  // "GRANT Database Permissions", "GRANT Schema Permissions", "DENY", "ALTER DATABASE SET options" (Transact-SQL).
  it('come of scripts of which each statement is taken', (context) => {
    context.skip(lacking.length > 0, `Transact-SQL has these statements, this server does not: ${lacking.join('; ')}`);
    expect(lacking).toEqual([]);
  });
});

it('a start whose login may make no tables says what to do', async () => {
  const denied = fault("CREATE TABLE permission denied in database 'Runsheet'.", 'EREQUEST', 262);
  const database = recordedMssql((sql) => {
    if (/^(create|alter) table/i.test(sql)) return denied;
    // No server is active.
    if (sql.includes('[Servers]')) return [];
    return [
      ['', 'Int', 1],
      ['IsOn', 'Bit', true],
      ['Result', 'Int', 0],
      ['name', 'NVarChar', '0001-spine'],
      ['is_locked', 'Int', 0],
    ];
  });
  await expect(migrateToLatest(database)).rejects.toThrow('run `npm run migrate` with a login that may');
});
