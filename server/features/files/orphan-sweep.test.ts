import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileStore } from '#server/files/file-store.ts';
import { createFolderFileStore } from '#server/files/folder-store.ts';
import { createS3FileStore } from '#server/files/s3/s3-store.ts';
import { newFileId } from '#server/files/stored-files.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { startS3Peer } from '#test/support/peers/s3.ts';
import { deleteUnneededFiles } from './files-janitor.ts';
import { sweepFileStore } from './orphan-sweep.ts';

const HOUR_MS = 3600_000;
const running = new AbortController().signal;

interface Opened {
  store: FileStore;
  close(): Promise<void>;
}

async function inFolder(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-sweep-'));
  return { store: await createFolderFileStore(folder), close: () => rm(folder, { recursive: true }) };
}

async function inBucket(): Promise<Opened> {
  const server = await startS3Peer();
  const store = await createS3FileStore(server.settings);
  return {
    store,
    close: async () => {
      store.close();
      await server.stop();
    },
  };
}

/** Simulates the store some hours later. */
const after = (store: FileStore, hours: number): FileStore => ({
  ...store,
  list: async (from, limit) => {
    const page = await store.list(from, limit);
    const files = page.files.map(({ key, time }) => ({ key, time: new Date(time.getTime() - hours * HOUR_MS) }));
    return { ...page, files };
  },
});

describe.each([
  ['a folder', inFolder],
  ['a bucket', inBucket],
])('cleaning up %s', (_, open) => {
  let database: TestDatabase;
  let opened: Opened;
  let store: FileStore;

  beforeAll(async () => {
    database = await testDatabase();
    opened = await open();
    ({ store } = opened);
  });
  afterAll(async () => {
    await database.drop();
    await opened.close();
  });

  async function addFile(row: { Purpose: string; hoursOld?: number; UsedTime?: Date } = { Purpose: 'output' }) {
    const { key, contentLength, sha256 } = await store.put(Buffer.from('x'));
    const { Purpose, hoursOld = 0, UsedTime = null } = row;
    await database.knex('StoredFiles').insert({
      FileId: newFileId(),
      StoreKey: key,
      FileName: 'x.txt',
      ContentLength: contentLength,
      Sha256: sha256,
      Purpose,
      UsedTime,
      CreatedTime: database.dialect.nowPlus(database.knex, -hoursOld * 3600),
    });
    return key;
  }

  const addOrphan = async (): Promise<string> => (await store.put(Buffer.from('orphan'))).key;

  /** Makes the last sweep appear to have ended long ago. */
  const forgetSweep = () => database.knex('Settings').where('Name', 'FileStoreSweep').delete();

  it('deletes uploads no run has taken after a day, and what was made for downloads after an hour', async () => {
    const gone = [
      await addFile({ Purpose: 'upload', hoursOld: 25 }),
      await addFile({ Purpose: 'download', hoursOld: 2 }),
    ];
    const remaining = [
      await addFile({ Purpose: 'upload', hoursOld: 23 }),
      await addFile({ Purpose: 'upload', hoursOld: 25, UsedTime: new Date() }),
      await addFile({ Purpose: 'download', hoursOld: 0.5 }),
      await addFile({ Purpose: 'output', hoursOld: 1000 }),
      await addFile({ Purpose: 'version', hoursOld: 1000 }),
    ];
    expect(await deleteUnneededFiles(database, store, running)).toBe(2);
    for (const key of gone) expect(await store.has(key)).toBe(false);
    for (const key of remaining) expect(await store.has(key)).toBe(true);
    expect(await database.knex('StoredFiles').whereIn('StoreKey', gone)).toEqual([]);
    expect(await deleteUnneededFiles(database, store, running)).toBe(0);
  });

  it('deletes more unneeded files than it takes at once, and none once it is stopped', async () => {
    const keys = await Promise.all(Array.from({ length: 103 }, () => addFile({ Purpose: 'download', hoursOld: 2 })));
    expect(await deleteUnneededFiles(database, store, AbortSignal.abort())).toBe(0);
    expect(await deleteUnneededFiles(database, store, running)).toBe(103);
    expect(await store.has(keys[0]!)).toBe(false);
  });

  it('removes files that no row refers to once they are a day old', async () => {
    await forgetSweep();
    const orphans = [await addOrphan(), await addOrphan()];
    const remaining = await addFile();
    expect(await sweepFileStore(database, after(store, 23), running)).toBe(0);
    for (const key of orphans) expect(await store.has(key)).toBe(true);
    await forgetSweep();
    expect(await sweepFileStore(database, after(store, 25), running)).toBe(2);
    for (const key of orphans) expect(await store.has(key)).toBe(false);
    expect(await store.has(remaining)).toBe(true);
  });

  it('sweeps once a day only', async () => {
    const orphan = await addOrphan();
    expect(await sweepFileStore(database, after(store, 25), running)).toBe(0);
    const [{ now }] = (await database.knex.select({ now: database.dialect.now(database.knex) })) as [{ now: Date }];
    const ended = now.getTime() - 25 * HOUR_MS;
    const Value = JSON.stringify({ after: '', ended });
    await database.knex('Settings').where('Name', 'FileStoreSweep').update({ Value });
    expect(await sweepFileStore(database, after(store, 25), running)).toBe(1);
    expect(await store.has(orphan)).toBe(false);
  });

  it('continues where it was stopped, and leaves the store to the faster server', async () => {
    await forgetSweep();
    const keys = [await addOrphan(), await addOrphan(), await addOrphan()].sort();
    const stopping = new AbortController();
    const later = after(store, 25);
    const inOnes = (each: () => Promise<void>): FileStore => ({
      ...later,
      list: async (from) => {
        const page = await later.list(from, 1);
        await each();
        return page;
      },
    });
    const stopAfterFirst = inOnes(async () => stopping.abort());
    await sweepFileStore(database, stopAfterFirst, stopping.signal);
    const { after: reached } = await sweepState();
    expect(reached).not.toBe('');
    let pages = 0;
    const interrupted = inOnes(async () => {
      pages += 1;
      // Another server finishes the sweep in the meantime.
      if (pages === 1) await sweepFileStore(database, later, running);
    });
    await sweepFileStore(database, interrupted, running);
    expect(pages).toBe(1);
    expect((await sweepState()).after).toBe('');
    for (const key of keys) expect(await store.has(key)).toBe(false);
  });

  async function sweepState(): Promise<{ after: string }> {
    const row = (await database.knex('Settings').where('Name', 'FileStoreSweep').first()) as { Value: string };
    return JSON.parse(row.Value) as { after: string };
  }

  it('leaves a store alone that seems to belong to another database', async () => {
    const { knex } = database;
    const rows = (await knex('StoredFiles').select('*')) as object[];
    await knex('StoredFiles').delete();
    await forgetSweep();
    const keys = await Promise.all(Array.from({ length: 60 }, addOrphan));
    await expect(sweepFileStore(database, after(store, 25), running)).rejects.toThrow('another one');
    for (const key of keys) expect(await store.has(key)).toBe(true);
    await knex('StoredFiles').insert(rows);
  });
});
