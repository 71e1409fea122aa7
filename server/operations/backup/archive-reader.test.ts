import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { brokenZips, LIBRARY_WORDS } from '#test/support/broken-zips.ts';
import { openArchive } from './archive-reader.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const manifest = { path: 'manifest.json', data: '{}' };
const bomb = [{ ...manifest, claimedSize: 2 ** 31 }];
const PROBLEMS = {
  truncated: 'is not a readable backup: its end is missing, or it is no zip archive',
  corrupted: 'is damaged: its data are damaged',
  encrypted: 'is damaged: it is protected by a password',
  bomb: 'is damaged: manifest.json is larger than a backup has it',
};

it.each(brokenZips([manifest], bomb))('a backup that is $what is refused in our own words', async ({ what, bytes }) => {
  const path = join(folder, `${what}.zip`);
  await writeFile(path, bytes);
  const message = await openArchive(path).then(
    () => 'nothing was refused',
    (error: Error) => error.message,
  );
  expect(message).toContain(`${path} ${PROBLEMS[what]}. Copy the backup again from where it was made`);
  expect(message).not.toMatch(LIBRARY_WORDS);
});
