/** Files that the program stores in its own folder, and files that it serves from there. */
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadAccounts } from './accounts.ts';
import { deepLinkAmong, deepLinkPath } from './deep-link.ts';
import { createFiles } from './node-files.ts';
import { readPageFile } from './page-files.ts';
import { loadWindowBounds } from './window-bounds.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runsheet-client-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('accounts are kept whole, for this person alone, however many changes come at once', async () => {
  const files = createFiles(join(folder, 'accounts'));
  const accounts = await loadAccounts(files);
  expect(accounts.last()).toBeNull();
  const [one, two] = await Promise.all([accounts.add('https://a/', 'A'), accounts.add('https://b/', 'B')]);
  await Promise.all([accounts.change(one.id, { userName: 'ann' }), accounts.opened(two.id)]);
  const again = await loadAccounts(files);
  expect(again.list()).toEqual([{ ...one, userName: 'ann' }, two]);
  expect(again.last()).toEqual(two);
  await again.remove(two.id);
  expect((await loadAccounts(files)).last()).toMatchObject({ id: one.id });
  expect((await stat(join(folder, 'accounts/accounts.json'))).mode & 0o077).toBe(0);
  expect(await readdir(join(folder, 'accounts'))).toEqual(['accounts.json']);
});

test.each(['', '{', '{"version":2}', '{"version":1,"accounts":[{"id":"../x"}],"last":null}'])(
  'a file of accounts that contains %j is started again',
  async (text) => {
    const files = createFiles(folder);
    await files.write('accounts.json', text);
    expect((await loadAccounts(files)).list()).toEqual([]);
  },
);

test('a window is where it was, as long as a screen shows it', async () => {
  const files = createFiles(join(folder, 'places'));
  const places = await loadWindowBounds(files);
  const place = { x: 2000, y: 10, width: 900, height: 700, isMaximized: true };
  await places.save('a', place);
  const again = await loadWindowBounds(files);
  const first = { x: 0, y: 0, width: 1920, height: 1080 };
  expect(again.find('a', [first, { ...first, x: 1920 }])).toEqual(place);
  expect(again.find('a', [first])).toBeNull();
  expect(again.find('b', [first])).toBeNull();
  await files.write('windows.json', '{"a":{"x":"left"}}');
  expect((await loadWindowBounds(files)).find('a', [first])).toBeNull();
});

test('pages come from their folder, and no path leads out of it', async () => {
  const pages = join(folder, 'pages');
  await mkdir(join(pages, 'assets'), { recursive: true });
  await mkdir(join(folder, 'pages-beside'));
  await writeFile(join(pages, 'assets/a.js'), 'x');
  await writeFile(join(folder, 'pages-beside/secret.js'), 'x');
  await writeFile(join(folder, 'secret.json'), '{}');
  expect(await readPageFile(pages, '/assets/a.js')).toMatchObject({ type: 'text/javascript; charset=utf-8' });
  for (const path of ['/../secret.json', '/%2e%2e/secret.json', '/..%2fsecret.json', '/../pages-beside/secret.js']) {
    expect(await readPageFile(pages, path)).toBeNull();
  }
  for (const path of ['/..\\secret.json', '/assets/a.js%00', '/%', '/assets', '/none.js', '/assets/a.sh']) {
    expect(await readPageFile(pages, path)).toBeNull();
  }
});

test('a link leads to a page of the portal, and never out of it', () => {
  expect(deepLinkPath('runsheet://open/activities/runstatus/5?tab=log')).toBe('/activities/runstatus/5?tab=log');
  expect(deepLinkPath('RUNSHEET://OPEN/sessions')).toBe('/sessions');
  for (const reserved of ['c=excel', 'sso=1&ott=x', 'ssoError=Call+us', '%63=excel', 'c=a&c=b'])
    expect(deepLinkPath(`runsheet://open/activities/?view=table&${reserved}#top`)).toBe('/activities/?view=table#top');
  for (const out of ['runsheet://open//evil.example.org', 'runsheet://open/../x', 'runsheet://open/\\evil']) {
    expect(deepLinkPath(out)).toBe('/');
  }
  expect(deepLinkPath('runsheet://app/api/logout')).toBeNull();
  expect(deepLinkAmong(['/usr/bin/runsheet', '--flag', 'runsheet://open/sessions'])).toBe('/sessions');
  expect(deepLinkAmong(['/usr/bin/runsheet'])).toBeNull();
});
