import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { testDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { isOtherMakersServer, NO_LOCK_TIMEOUT_ERROR } from '#test/support/sql-server.ts';
import { createDatabase } from './database.ts';
import { migrateToLatest } from './migrate.ts';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await testDatabase({ migrated: false });
  cleanUps.push(() => database.drop());
  return database;
}

/** Creates a folder of migrations. The first one counts how often it ran. */
async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-migrations-'));
  cleanUps.push(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

const FIRST = `export async function up(knex: any): Promise<void> {
  await knex.schema.createTable('Counted', (t: any) => t.increments('Id'));
  await new Promise((resolve) => setTimeout(resolve, 200));
  await knex('Counted').insert({});
}
export async function down(): Promise<void> {}
`;

const IN_THE_WAY = `export async function up(knex: any): Promise<void> {
  await knex.schema.createTable('Second', (t: any) => t.increments('Id'));
  await knex.raw(knex.client.dialect === 'mssql' ? 'set lock_timeout 100' : 'set local lock_timeout = 100');
  try {
    await knex('Counted').del();
  } catch (error) {
    await (globalThis as any).endOtherWork();
    throw error;
  }
}
export async function down(): Promise<void> {}
`;

describe('migrateToLatest', () => {
  it('makes all tables, and finds nothing to do the second time', async () => {
    const database = await emptyDatabase();
    expect(await migrateToLatest(database)).toContain('0001-spine');
    expect(await database.knex.schema.hasTable('ActivityRuns')).toBe(true);
    expect(await migrateToLatest(database)).toEqual([]);
  });

  it('runs each migration once when several servers start at the same time', async () => {
    const database = await emptyDatabase();
    const folder = await folderWith({ '0001-first.ts': FIRST });
    const others = [1, 2, 3].map(() => createDatabase({ url: database.url }));
    cleanUps.push(() => Promise.all(others.map((other) => other.close())));
    const done = await Promise.all(others.map((other) => migrateToLatest(other, folder)));
    expect(done.flat()).toEqual(['0001-first']);
    expect(await database.knex('Counted').pluck('Id')).toEqual([1]);
  });

  it('continues after a server that was killed while it migrated', async () => {
    const database = await emptyDatabase();
    const folder = await folderWith({ '0001-first.ts': FIRST });
    await migrateToLatest(database, folder);
    // What Knex's own lock leaves behind in that case.
    await database.knex('Migrations_lock').update({ is_locked: 1 });
    await writeFile(join(folder, '0002-second.ts'), FIRST.replaceAll('Counted', 'Second'));
    expect(await migrateToLatest(database, folder)).toEqual(['0002-second']);
  });

  it('runs a migration again that was refused as another server held what it changes', async (context) => {
    const database = await emptyDatabase();
    context.skip(await isOtherMakersServer(database.knex), NO_LOCK_TIMEOUT_ERROR);
    const folder = await folderWith({ '0001-first.ts': FIRST });
    await migrateToLatest(database, folder);
    const atWork = await database.knex.transaction();
    await atWork('Counted').del();
    Object.assign(globalThis, { endOtherWork: () => atWork.commit() });
    await writeFile(join(folder, '0002-second.ts'), IN_THE_WAY);
    expect(await migrateToLatest(database, folder)).toEqual(['0002-second']);
    expect(atWork.isCompleted()).toBe(true);
  });

  it('leaves nothing of a migration that fails, and can run it again once it is fixed', async () => {
    const database = await emptyDatabase();
    const folder = await folderWith({ '0001-first.ts': FIRST.replace('insert({})', 'insert({ Nothing: 1 })') });
    await expect(migrateToLatest(database, folder)).rejects.toThrow('Nothing');
    expect(await database.knex.schema.hasTable('Counted')).toBe(false);
    const fixed = await folderWith({ '0001-first.ts': FIRST });
    expect(await migrateToLatest(database, fixed)).toEqual(['0001-first']);
  });

  it('refuses a database that a newer version of the program has made', async () => {
    const database = await emptyDatabase();
    const newer = await folderWith({ '0001-first.ts': FIRST, '0002-second.ts': FIRST.replaceAll('Counted', 'Second') });
    await migrateToLatest(database, newer);
    const older = await folderWith({ '0001-first.ts': FIRST });
    await expect(migrateToLatest(database, older)).rejects.toThrow('newer version of Runsheet (it has "0002-second")');
  });

  it('waits for running servers before a change that would break them, and names those that do not leave', async () => {
    const database = await emptyDatabase();
    const { knex, dialect } = database;
    const SERVERS = `export async function up(knex: any): Promise<void> {
  await knex.schema.createTable('Servers', (t: any) => {
    t.string('Name', 100);
    t.string('Version', 40);
    t.timestamp('LastTime', { useTz: true, precision: 3 }).notNullable().defaultTo(knex.fn.now());
  });
}
export async function down(): Promise<void> {}
`;
    const files = { '0001-servers.ts': SERVERS, '0002-first.ts': FIRST };
    await migrateToLatest(database, await folderWith(files));
    await knex('Servers').insert({ Name: 'portal-1', Version: '1.2.3' });
    const renaming = `export const needsStandstill = true;\n${FIRST.replaceAll('Counted', 'Third')}`;
    const folder = await folderWith({ ...files, '0003-third.ts': renaming });
    await expect(migrateToLatest(database, folder, 300)).rejects.toThrow(
      /what servers of the version before read \("0003-third"\), and some are at work: portal-1 \(1\.2\.3\); stop them all/,
    );
    expect(await knex.schema.hasTable('Third')).toBe(false);
    // A migration that only adds something does not wait for it.
    const adding = await folderWith({ ...files, '0002-second.ts': FIRST.replaceAll('Counted', 'Second') });
    expect(await migrateToLatest(database, adding, 0)).toEqual(['0002-second']);
    // A killed server is silent.
    await knex('Servers').update({ LastTime: dialect.nowPlus(knex, -25) });
    const both = await folderWith({
      ...files,
      '0002-second.ts': FIRST.replaceAll('Counted', 'Second'),
      '0003-third.ts': renaming,
    });
    expect(await migrateToLatest(database, both, 0)).toEqual(['0003-third']);
  });

  it('keeps nobody waiting behind a table that others hold, and says so where they do not let go of it', async (context) => {
    const database = await emptyDatabase();
    context.skip(await isOtherMakersServer(database.knex), NO_LOCK_TIMEOUT_ERROR);
    const files = { '0001-first.ts': FIRST };
    await migrateToLatest(database, await folderWith(files));
    const backup = await database.knex.transaction();
    await backup('Counted').select('Id');
    const ALTER = `export async function up(knex: any): Promise<void> {
  await knex.raw(knex.client.dialect === 'mssql' ? 'set lock_timeout 50' : 'set local lock_timeout = 50');
  await knex.schema.alterTable('Counted', (t: any) => void t.integer('More'));
}
export async function down(): Promise<void> {}
`;
    const folder = await folderWith({ ...files, '0002-alter.ts': ALTER });
    const isPg = database.dialect.name === 'pg';
    if (isPg)
      await expect(migrateToLatest(database, folder)).rejects.toThrow(
        'the tables cannot be changed while others hold them',
      );
    await backup.rollback();
    expect(await migrateToLatest(database, folder)).toEqual(['0002-alter']);
  });
});
