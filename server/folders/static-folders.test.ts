import { appendFile, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { areStaticFolders, parseStaticFolder } from '#server/config/static-folders.ts';
import { fitsPattern } from './file-pattern.ts';
import { createStaticFolders, type StaticFolders } from './static-folders.ts';

let base: string;
let rates: string;
let folders: StaticFolders;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'runsheet-static-'));
  rates = join(base, 'rates');
  await mkdir(rates);
  folders = createStaticFolders([`Rates=${rates}`, `Gone=${join(base, 'gone')}`], 1000);
});
afterEach(() => rm(base, { recursive: true }));

async function put(name: string, day: number, content = name): Promise<string> {
  const path = join(rates, name);
  await writeFile(path, content);
  await utimes(path, day * 86_400, day * 86_400);
  return path;
}

const newest = async (pattern: string): Promise<string | undefined> =>
  (await folders.newest('Rates', pattern))?.FileName;

describe('a static folder', () => {
  it('gives the newest of the files that fit', async () => {
    await put('rates-1.csv', 10);
    await put('rates-2.csv', 30);
    await put('rates-3.csv', 20);
    await put('deals.csv', 40);
    expect(await newest('rates-*.csv')).toBe('rates-2.csv');
    expect(await newest('RATES-?.CSV')).toBe('rates-2.csv');
    expect(await newest('*')).toBe('deals.csv');
    expect(await newest('*.xlsx')).toBeUndefined();
    const found = await folders.newest(' rates ', 'deals.csv');
    expect(found?.ModifiedTime).toEqual(new Date(40 * 86_400_000));
    expect(Buffer.from(await found!.read()).toString()).toBe('deals.csv');
  });

  it('takes the later name where two files are equally new', async () => {
    await put('b.csv', 10);
    await put('c.csv', 10);
    await put('a.csv', 10);
    expect(await newest('*.csv')).toBe('c.csv');
  });

  it('passes over folders, hidden files, what Excel leaves beside an open workbook, and pipes', async () => {
    await put('rates.csv', 10);
    await put('.rates.csv', 20);
    await put('~$rates.csv', 20);
    await mkdir(join(rates, 'old.csv'));
    execFileSync('mkfifo', [join(rates, 'pipe.csv')]);
    expect(await newest('*.csv')).toBe('rates.csv');
  });

  it('follows links to files of the same folder, and no others', async () => {
    await writeFile(join(base, 'secret.csv'), 'secret');
    await mkdir(join(rates, 'below'));
    await writeFile(join(rates, 'below', 'deep.csv'), 'deep');
    await symlink(join(base, 'secret.csv'), join(rates, 'out.csv'));
    await symlink('../secret.csv', join(rates, 'up.csv'));
    await symlink('below/deep.csv', join(rates, 'deep.csv'));
    await symlink('nowhere.csv', join(rates, 'dangling.csv'));
    await symlink('loop.csv', join(rates, 'loop.csv'));
    expect(await newest('*.csv')).toBeUndefined();
    await put('rates-1.csv', 10);
    await symlink('rates-1.csv', join(rates, 'latest.csv'));
    const found = await folders.newest('Rates', 'latest.csv');
    expect(Buffer.from(await found!.read()).toString()).toBe('rates-1.csv');
  });

  it('does not follow a link that took the place of a file after it was found', async () => {
    await writeFile(join(base, 'secret.csv'), 'secret');
    const path = await put('rates.csv', 10);
    const found = await folders.newest('Rates', '*.csv');
    await rm(path);
    await symlink(join(base, 'secret.csv'), path);
    await expect(found!.read()).rejects.toMatchObject({ name: 'FolderError', code: 'unreadable' });
  });

  it.each(['../secret.csv', '/etc/passwd', '../*', 'rates/../../secret.csv'])(
    'has no file like %s',
    async (pattern) => {
      await writeFile(join(base, 'secret.csv'), 'secret');
      await put('rates.csv', 10);
      expect(await newest(pattern)).toBeUndefined();
    },
  );

  it('refuses a file that is too large', async () => {
    const path = await put('rates.csv', 10, 'x'.repeat(1000));
    const found = await folders.newest('Rates', '*.csv');
    expect(await found!.read()).toHaveLength(1000);
    await appendFile(path, 'x');
    await expect(found!.read()).rejects.toMatchObject({ code: 'tooLarge' });
  });

  it('says which folder is not configured or cannot be read', async () => {
    await expect(folders.newest('Deals', '*')).rejects.toMatchObject({
      code: 'missing',
      message: "There is no folder 'Deals' on this server",
    });
    await expect(folders.newest('Gone', '*')).rejects.toMatchObject({
      code: 'unreadable',
      message: "The folder 'Gone' cannot be read",
    });
    expect(folders.names).toEqual(['Rates', 'Gone']);
  });
});

describe('the setting of static folders', () => {
  it('parts name and path at the first equals sign', () => {
    expect(parseStaticFolder('Rates = /srv/a=b')).toEqual({ name: 'Rates', path: '/srv/a=b' });
  });

  it.each([
    [['Rates=/srv/rates', 'Deals=/srv/deals'], true],
    [['Rates=rates'], false],
    [['/srv/rates'], false],
    [['=/srv/rates'], false],
    [['a/b=/srv/rates'], false],
    [[`${'x'.repeat(61)}=/srv/rates`], false],
    [['Rates=/srv/rates', 'rates=/srv/deals'], false],
  ])('%j: %s', (texts, isRight) => {
    expect(areStaticFolders(texts)).toBe(isRight);
  });
});

describe('a pattern of file names', () => {
  it.each([
    ['rates.csv', '*', true],
    ['rates.csv', '*.csv', true],
    ['rates.csv', 'r*s.c?v', true],
    ['rates.csv', '**a**', true],
    ['rates.csv', '?', false],
    ['rates.csv', '', false],
    ['rates.csv', '*.cs', false],
    ['rates.csv', 'rates.csv?', false],
    ['a+b[1].csv', 'a+b[1].csv', true],
    ['aab.csv', '*ab.csv', true],
  ])('%s fits %s: %s', (name, pattern, fits) => {
    expect(fitsPattern(name, pattern)).toBe(fits);
  });

  it('is not slowed down by many stars', () => {
    expect(fitsPattern('a'.repeat(255), `${'*a'.repeat(120)}*b`)).toBe(false);
  });
});
