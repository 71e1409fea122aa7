/** Data folders of portals as their first start leaves them: it is made once in a run of the tests for each kind of settings, and copied. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '#test/support/until.ts';

const run = promisify(execFile);
const FIRST_START_LIMIT_MS = 60_000;

/** What a portal says at its first start, and never again. */
export interface FirstWords {
  userName: string;
  password: string;
}

export interface DataFolder {
  path: string;
  /** Undefined where the folder is empty, so that the first start is still to come. */
  firstWords: FirstWords | undefined;
}

type FirstStart = (folder: string, settings: Record<string, string>) => Promise<FirstWords>;

export const emptyFolder = async (): Promise<DataFolder> => ({
  path: await mkdtemp(join(tmpdir(), 'runsheet-e2e-')),
  firstWords: undefined,
});

/**
 * A copy of the folder that `start` leaves behind after a first start with these settings. `start` is called by the first who asks in a
 * run of the tests, the others wait for it.
 */
export async function startedFolder(settings: Record<string, string>, start: FirstStart): Promise<DataFolder> {
  const template = await templateFolder(settings, start);
  const { path } = await emptyFolder();
  // With owners and times: the database belongs to another user than root.
  await run('cp', ['-a', '--reflink=auto', `${template}/.`, path]);
  return { path, firstWords: JSON.parse(await readFile(`${template}.json`, 'utf8')) as FirstWords };
}

async function templateFolder(settings: Record<string, string>, start: FirstStart): Promise<string> {
  const shared = process.env.RUNSHEET_TEST_RUN_DIR;
  if (!shared) throw new Error('RUNSHEET_TEST_RUN_DIR is missing: vitest has not run test/support/global-setup.ts');
  const name = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16);
  const path = join(shared, `portal-${name}`);
  const [made] = await Promise.allSettled([mkdir(path, { mode: 0o700 })]);
  if (made.status === 'rejected') {
    await until('the first start of a portal', () => isThere(`${path}.json`), FIRST_START_LIMIT_MS);
    return path;
  }
  const words = await start(path, settings);
  // Under another name until it is whole.
  await writeFile(`${path}.part`, JSON.stringify(words));
  await rename(`${path}.part`, `${path}.json`);
  return path;
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
