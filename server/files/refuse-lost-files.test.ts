/** Which folder a start accepts as its file store. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '#server/config/load-config.ts';
import { testDatabase, type TestDatabase } from '#test/support/database.ts';
import { runFolder } from '#test/support/run-folder.ts';
import { MARKER } from './folder-marker.ts';
import { createFolderFileStore } from './folder-store.ts';
import { openFileStore } from './open-file-store.ts';
import { insertStoredFiles } from './stored-files.ts';

let database: TestDatabase;
let dataDir: string;
let files: string;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  await database.knex('StoredFiles').delete();
  dataDir = await mkdtemp(join(runFolder(), 'lost-files-'));
  files = join(dataDir, 'files');
});
afterAll(() => database.drop());

const open = () => openFileStore({ ...loadConfig({}), dataDir }, database);
const namesOf = (folder: string): Promise<string[]> => readdir(folder, { recursive: true });

async function storeOne(): Promise<void> {
  const { key, sha256 } = await (await createFolderFileStore(files)).put(Buffer.from('x'));
  const sums = { StoreKey: key, ContentLength: 1, Sha256: sha256 };
  const owner = { UserId: null, ActivityParameterId: null };
  await insertStoredFiles(database.knex, [{ FileId: 'one', FileName: 'a.txt', Purpose: 'output', ...sums, ...owner }]);
}

test('the first start sets up the folder with its marker', async () => {
  await open();
  expect((await namesOf(files)).toSorted()).toEqual(['incoming', MARKER]);
});

test('a folder of an older version gets its marker, as it holds files that the database knows of', async () => {
  await storeOne();
  await rm(join(files, MARKER));
  await (await open()).store.check();
});

test.each([
  ['missing', async () => {}],
  ['empty', () => mkdir(files)],
  [
    'filled by another installation',
    async () => {
      await (await createFolderFileStore(files)).put(Buffer.from('of another'));
      await rm(join(files, MARKER));
    },
  ],
])('a folder that is %s is refused while the database knows of files, and stays as it is', async (_what, make) => {
  await storeOne();
  await rm(files, { recursive: true });
  await make();
  const before = await namesOf(dataDir);
  await expect(open()).rejects.toMatchObject({
    name: 'StartError',
    message:
      `the folder ${files} contains none of the files that the database refers to: mount their disk or share, or set RUNSHEET_DATA_DIR ` +
      `to its previous value; if the files are lost for good, create the empty file ${join(files, MARKER)} and start again`,
  });
  expect(await namesOf(dataDir)).toEqual(before);
  // As the message recommends.
  await mkdir(files, { recursive: true });
  await writeFile(join(files, MARKER), '');
  await open();
});

test('a restore fills an empty folder, which is marked with its first file', async () => {
  await storeOne();
  await rm(files, { recursive: true });
  const { store } = await openFileStore({ ...loadConfig({}), dataDir }, null);
  expect((await store.list('', 1)).files).toEqual([]);
  expect(await namesOf(files)).not.toContain(MARKER);
  await store.restore('a'.repeat(48), Buffer.from('x'));
  await (await createFolderFileStore(files)).check();
  expect(await namesOf(files)).toContain(MARKER);
});
