/** Files for other programs: the disk is real, the portal's responses are simulated. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDraggedFiles } from './dragged-files.ts';

let folder: string;
let asked: string[];
let answer: Response;
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'runsheet-dragged-')), 'dragged');
  asked = [];
});
afterEach(() => rm(dirname(folder), { recursive: true, force: true }));

const portal = {
  openPage: () => ({ key: 'K', leave: () => undefined }),
  handle: async ({ url }: Request) => {
    asked.push(url);
    return answer;
  },
};
const answered = (body: BodyInit, name: string): Response =>
  new Response(body, {
    headers: { 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}` },
  });
const CALL = `/api/files/download/${'t'.repeat(40)}`;

test('a file lies under its own name, where nobody else may enter, until the program ends', async () => {
  const files = createDraggedFiles(folder);
  answer = answered('a;b', 'Zürich 50 %.csv');
  const path = files.pathOf((await files.fetch(portal, CALL))!)!;
  expect([basename(path), await readFile(path, 'utf8')]).toEqual(['Zürich 50 %.csv', 'a;b']);
  const modes = await Promise.all(
    [path, dirname(path)].map(async (one) => ((await stat(one)).mode & 0o777).toString(8)),
  );
  expect(modes).toEqual(['600', '700']);
  files.clear();
  expect(existsSync(folder)).toBe(false);
});

test('a name leads nowhere else, and two of the same name are two files', async () => {
  const files = createDraggedFiles(folder);
  const paths: string[] = [];
  for (const name of ['../../etc/passwd', 'passwd']) {
    answer = answered('x', name);
    paths.push(files.pathOf((await files.fetch(portal, CALL))!)!);
  }
  expect(paths.map((path) => [basename(path), dirname(dirname(path))])).toEqual(paths.map(() => ['passwd', folder]));
  expect(new Set(paths).size).toBe(2);
});

test('nothing but files of the portal is fetched, and nothing is there of a refused one or one cut short', async () => {
  const files = createDraggedFiles(folder);
  for (const path of [
    '/api/settings',
    '/etc/passwd',
    `${CALL}/../../settings`,
    '//elsewhere.example.org/',
    `${CALL}?a`,
  ])
    expect(await files.fetch(portal, path)).toBeNull();
  expect(asked).toEqual([]);
  answer = new Response('no', { status: 404 });
  expect(await files.fetch(portal, CALL)).toBeNull();
  answer = new Response('<p>Sign in to the network</p>', { headers: { 'content-type': 'text/html' } });
  expect(await files.fetch(portal, CALL)).toBeNull();
  let pulls = 0;
  const cut = new ReadableStream<Uint8Array>({
    pull: (controller) => (pulls++ === 0 ? controller.enqueue(Buffer.from('a')) : controller.error(new Error('lost'))),
  });
  answer = answered(cut, 'a.csv');
  await expect(files.fetch(portal, CALL)).rejects.toThrow('lost');
  expect(files.pathOf('0'.repeat(32))).toBeNull();
});
