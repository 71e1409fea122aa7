/**
 * Backups are either complete or refused, and are restored only to empty targets. test/faults has the test under load.
 */
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { migrateToLatest } from '#server/db/migrate.ts';
import { createFolderFileStore } from '#server/files/folder-store.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { holdingDeletes, withHeldDeletes } from '#server/files/held-deletes.ts';
import { verifyData } from '#server/operations/verify-data.ts';
import { storeDelta } from '#test/support/store-delta.ts';
import { withDeltas } from '#server/files/deltas.ts';
import type { NewStoredFile } from '#server/files/stored-files.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { insertActivity, insertUser } from '#test/support/runs.ts';
import { isFullSet } from '#test/support/test-set.ts';
import { backUp } from './back-up.ts';
import { findRestoreMark, refuseHalfRestored, setRestoreMark } from './restore-mark.ts';
import { restore } from './restore.ts';
import { openArchive } from './archive-reader.ts';

const secretKey = 'a key of the tests, of no other use';
const FIRST = Array.from({ length: 100 }, (_, at) => `first ${at ** 3}`).join();
/** Stored as a delta of the first file. */
const MADE = `${FIRST} and more`;
let source: TestDatabase;
let folder: string;
let store: FileStore;
let keys: string[];
let delta: NewStoredFile;
let target: TestDatabase;
let targetStore: FileStore;
let path: string;

beforeAll(async () => {
  source = await testDatabase({ isPostgres: true });
  folder = await mkdtemp(join(tmpdir(), 'runsheet-backup-'));
  store = await createFolderFileStore(join(folder, 'files'));
  const UserId = await insertUser(source.knex, { UserName: 'Zoë\t"tab"\\n' });
  await insertActivity(source.knex, { UserId, Name: 'Ünïcode\nnewline' });
  keys = [];
  for (const [index, content] of [FIRST, 'second', 'x'.repeat(2_000_000)].entries()) {
    const { key, contentLength, sha256 } = await store.put(Buffer.from(content));
    keys.push(key);
    const sums = { StoreKey: key, ContentLength: contentLength, Sha256: sha256 };
    await source.knex('StoredFiles').insert({ FileId: `file${index}`, FileName: 'a.txt', Purpose: 'output', ...sums });
  }
  delta = await storeDelta(source.knex, Buffer.from(MADE), {
    FileId: 'file0',
    bytes: Buffer.from(FIRST),
  });
});
beforeEach(async () => {
  target = await testDatabase({ isPostgres: true, migrated: false });
  targetStore = await createFolderFileStore(await mkdtemp(join(folder, 'target-')));
  path = join(await mkdtemp(join(folder, 'backup-')), 'backup.zip');
});
afterEach(() => target.drop());
afterAll(async () => {
  await source.drop();
  await rm(folder, { recursive: true });
});

const backUpSource = () => backUp({ database: source, store, secretKey }, path);
const restoreTarget = (key = secretKey) => restore({ database: target, store: targetStore, secretKey: key }, path);

/** Returns the rows of each table as JSON, sorted. */
async function allRows({ knex, dialect }: TestDatabase): Promise<Record<string, string[]>> {
  const tables = await dialect.snapshots!.listTables(knex);
  const rows: Record<string, string[]> = {};
  for (const table of tables) {
    const found = (await knex(table)) as Record<string, unknown>[];
    rows[table] = found.map((row) => JSON.stringify(row)).toSorted();
  }
  return rows;
}

test('what is restored is what was backed up, row by row and byte by byte, and numbers continue from there', async () => {
  const before = await allRows(source);
  const report = await backUpSource();
  expect(report).toMatchObject({ files: 3, damagedFiles: [] });
  const sum = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  expect(report.sha256).toBe(sum);
  expect(await readFile(`${path}.sha256`, 'utf8')).toBe(`${sum}  backup.zip\n`);
  expect(await restoreTarget()).toMatchObject({ files: 3, tables: report.tables, hasOtherKey: false });
  const after = await allRows(target);
  // The backup contains its own hold on deletes, which expires.
  after['Settings'] = after['Settings']!.filter((row) => !row.includes('HeldDeletes'));
  // Knex gives its lock a new id each time.
  for (const rows of [before, after]) delete rows['Migrations_lock'];
  expect(after).toEqual(before);
  for (const key of keys) expect(await targetStore.read(key)).toEqual(await store.read(key));
  expect((await withDeltas(targetStore, target).read(delta.StoreKey)).toString()).toBe(MADE);
  const ids = await Promise.all([source, target].map(({ knex }) => insertUser(knex)));
  expect(ids[0]).toBe(ids[1]);
  const constraints = `select count(*) as count from pg_constraint where contype = 'f'`;
  const counts = await Promise.all([source, target].map(({ knex }) => knex.raw(constraints)));
  expect(counts[1].rows).toEqual(counts[0].rows);
});

test('a database, a store or a file that holds something is refused, and nothing of it is changed', async () => {
  await backUpSource();
  await expect(backUpSource()).rejects.toThrow();
  await targetStore.put(Buffer.from('other'));
  await expect(restoreTarget()).rejects.toThrow('the file store is not empty');
  expect(await target.dialect.snapshots!.listTables(target.knex)).toEqual([]);
  await migrateToLatest(target);
  await expect(restoreTarget()).rejects.toThrow('the database is not empty');
});

test('one changed byte, a cut end or another file is found before anything is restored', async () => {
  await backUpSource();
  const bytes = await readFile(path);
  const at = bytes.indexOf('xxxxxxxx');
  const handle = await open(path, 'r+');
  await handle.write('y', at + 1_000);
  await handle.close();
  await expect(restoreTarget()).rejects.toThrow(
    /backup\.zip is damaged: files\/.* is not as it was written\. Copy the backup again/,
  );
  await writeFile(path, bytes.subarray(0, -2_000));
  await expect(restoreTarget()).rejects.toThrow(
    /backup\.zip is not a readable backup: its end is missing, or it is no zip archive\. Copy/,
  );
  expect(await target.dialect.snapshots!.listTables(target.knex)).toEqual([]);
  expect((await targetStore.list('', 10)).files).toEqual([]);
});

test.runIf(isFullSet)('a restore that was cut short keeps a server from starting, and is run again', async () => {
  await backUpSource();
  const breaking: FileStore = { ...targetStore, restore: () => Promise.reject(new Error('the disk is full')) };
  const cutShort = restore({ database: target, store: breaking, secretKey }, path);
  await expect(cutShort).rejects.toThrow('the disk is full');
  await expect(refuseHalfRestored(target)).rejects.toThrow('did not finish');
  await targetStore.restore(keys[0]!, Buffer.from('half of i'));
  await restoreTarget();
  await refuseHalfRestored(target);
  expect((await targetStore.read(keys[0]!)).toString()).toBe(FIRST);
});

test.runIf(isFullSet)('another backup does not continue where one was interrupted', async () => {
  await backUpSource();
  await migrateToLatest(target);
  await setRestoreMark(target, 'of another backup');
  await expect(restoreTarget()).rejects.toThrow('the database is not empty');
});

test('a missing file and one that was changed are named, and the rest is backed up', async () => {
  const other = await createFolderFileStore(join(folder, 'damaged'));
  await other.restore(keys[0]!, Buffer.from('First'));
  await other.restore(keys[2]!, await store.read(keys[2]!));
  const report = await backUp({ database: source, store: other, secretKey }, path);
  expect(report.damagedFiles.toSorted()).toEqual(keys.slice(0, 2).toSorted());
  expect(report.files).toBe(2);
  const read = withDeltas(other, source);
  const { missing, changed, ...found } = await verifyData(source, read, { readFiles: true });
  expect(found).toMatchObject({ files: 4, unreferenced: 0 });
  expect(missing).toEqual(['file1']);
  // If a file was changed, deltas of it are changed too.
  expect(changed.toSorted()).toEqual([delta.FileId, 'file0'].toSorted());
  expect((await verifyData(source, read, { readFiles: false })).changed).toEqual([]);
  await other.put(Buffer.from('of nobody'));
  expect((await verifyData(source, read, { readFiles: false })).unreferenced).toBe(1);
});

test('the secret key is not in the backup, which recognizes another one', async () => {
  await backUpSource();
  const archive = await openArchive(path);
  expect(JSON.stringify(archive.manifest)).not.toContain(secretKey);
  archive.close();
  expect((await restoreTarget('another key of the tests, for once')).hasOtherKey).toBe(true);
});

test('a database with its own backup gets only its files, into an empty store', async () => {
  const { snapshots: _none, ...dialect } = source.dialect;
  const report = await backUp({ database: { ...source, dialect }, store, secretKey }, path);
  expect(report).toMatchObject({ tables: null, files: 3 });
  await expect(restoreTarget()).rejects.toThrow('first restore the database with the tools of SQL Server');
  const restored = restore({ database: source, store: targetStore, secretKey }, path);
  expect(await restored).toMatchObject({ tables: null, files: 3 });
  expect(await findRestoreMark(source)).toBeUndefined();
  const { missing, changed } = await verifyData(source, withDeltas(targetStore, source), { readFiles: true });
  expect([missing, changed]).toEqual([[], []]);
});

test('no file is deleted while a backup is made, and none stays held after it, also where it fails', async () => {
  const held = withHeldDeletes(store, source);
  const { key } = await store.put(Buffer.from('to be deleted'));
  const failing = holdingDeletes(source, async () => {
    await held.delete(key);
    expect(await store.has(key)).toBe(true);
    throw new Error('the disk is full');
  });
  await expect(failing).rejects.toThrow('the disk is full');
  await held.delete(key);
  expect(await store.has(key)).toBe(false);
  // A hold of a backup that was killed.
  await source.knex('Settings').insert({ Name: 'HeldDeletes.dead', Value: '2020-01-01T00:00:00.000Z' });
  const other = await store.put(Buffer.from('to be deleted'));
  await held.delete(other.key);
  expect(await store.has(other.key)).toBe(false);
  await holdingDeletes(source, async () => {});
  expect(await source.knex('Settings').where('Name', 'like', 'HeldDeletes%')).toEqual([]);
});

test('a hold that ends during its renewal is not written again', async () => {
  const renewing = Promise.withResolvers<void>();
  let isWritten = false;
  let writes = 0;
  const upsert: typeof source.dialect.upsert = async (...given) => {
    writes += 1;
    if (writes > 1) {
      renewing.resolve();
      // Longer than it takes to delete the hold.
      await pause(50);
    }
    await source.dialect.upsert(...given);
    isWritten = writes > 1;
  };
  const slow = { knex: source.knex, dialect: { ...source.dialect, upsert } };
  await holdingDeletes(slow, () => renewing.promise, { renewMs: 1 });
  expect(isWritten).toBe(true);
  expect(await source.knex('Settings').where('Name', 'like', 'HeldDeletes%')).toEqual([]);
});

test('work during a hold fails if a renewal gets no response until the hold has expired', async () => {
  const silence = Promise.withResolvers<void>();
  let writes = 0;
  const upsert: typeof source.dialect.upsert = async (...given) => {
    writes += 1;
    if (writes > 1) await silence.promise;
    await source.dialect.upsert(...given);
  };
  const silent = { knex: source.knex, dialect: { ...source.dialect, upsert } };
  const work = async (): Promise<void> => {
    await pause(200);
    silence.resolve();
  };
  const failing = holdingDeletes(silent, work, { renewMs: 1, seconds: 0.1 });
  await expect(failing).rejects.toThrow('could no longer be held');
  expect(await source.knex('Settings').where('Name', 'like', 'HeldDeletes%')).toEqual([]);
});

test('a backup that fails leaves no file behind', async () => {
  const failing: FileStore = { ...store, open: () => Promise.reject(new Error('the store is away')) };
  await expect(backUp({ database: source, store: failing, secretKey }, path)).rejects.toThrow('the store is away');
  expect(await readdir(join(path, '..'))).toEqual([]);
});

test('no migration changes a table that a backup has yet to read', async () => {
  const changed = source.dialect.snapshots!.take(source.knex, () =>
    source.knex.transaction(async (trx) => {
      await trx.raw("set local lock_timeout = '100ms'");
      await trx.raw('alter table "ActivityRuns" add column "Later" integer');
    }),
  );
  await expect(changed).rejects.toMatchObject({ code: '55P03' });
});
