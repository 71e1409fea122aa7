import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { brokenZips, LIBRARY_WORDS } from '#test/support/broken-zips.ts';
import { readBundle } from './bundle.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundle-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const manifest = {
  path: 'manifest.json',
  data: JSON.stringify({ Format: 1, From: null, Activities: [], Workflows: [] }),
};
const bomb = [{ ...manifest, claimedSize: 2 ** 31 }];
const PROBLEMS = {
  truncated: 'its end is missing, or it is no zip archive',
  corrupted: 'its data are damaged',
  encrypted: 'it is protected by a password',
  bomb: 'it is too large',
};

it.each(brokenZips([manifest], bomb))(
  'an export that is $what is refused in our own words',
  async ({ what, bytes }) => {
    const path = join(folder, `${what}.zip`);
    await writeFile(path, bytes);
    const message = await readBundle(path).catch((error: Error) => error.message);
    expect(message).toBe(
      `${path} is not a readable export of a portal: ${PROBLEMS[what]}. Copy the file again, or export it again`,
    );
    expect(message).not.toMatch(LIBRARY_WORDS);
  },
);
