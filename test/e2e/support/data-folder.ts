/** The results of a first start, created once per test run for each kind of settings, and copied for each portal. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, chmod, mkdir, mkdtemp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { untilProgress } from '#test/support/until.ts';

const run = promisify(execFile);

/** Output that a portal prints only at its first start. */
export interface FirstWords {
  userName: string;
  password: string;
  /** The name of the database to copy, if it is not in the data folder. */
  template?: string;
}

export interface DataFolder {
  path: string;
  /** Undefined if the folder is empty and the first start is still to come. */
  firstWords: FirstWords | undefined;
}

type FirstStart = (folder: string, settings: Record<string, string>) => Promise<FirstWords>;

export async function emptyFolder(): Promise<DataFolder> {
  const path = await mkdtemp(join(tmpdir(), 'runsheet-e2e-'));
  // The embedded PostgreSQL of a portal does not run as root.
  await chmod(path, 0o711);
  return { path, firstWords: undefined };
}

/**
 * Returns a copy of the folder after `firstStart` with these settings. The first caller in a test run creates it, the
 * others wait.
 * @param kind separates folders of different kinds of first starts
 */
export async function startedFolder(
  kind: string,
  settings: Record<string, string>,
  firstStart: FirstStart,
): Promise<DataFolder & { firstWords: FirstWords }> {
  const template = await templateFolder(kind, settings, firstStart);
  const { path } = await emptyFolder();
  // Preserve owners and times: the database does not belong to root.
  await run('cp', ['-a', '--reflink=auto', `${template}/.`, path]);
  return { path, firstWords: JSON.parse(await readFile(`${template}.json`, 'utf8')) as FirstWords };
}

async function templateFolder(kind: string, settings: Record<string, string>, firstStart: FirstStart): Promise<string> {
  const shared = process.env.RUNSHEET_TEST_RUN_DIR;
  if (!shared) throw new Error('RUNSHEET_TEST_RUN_DIR is missing: vitest has not run test/support/global-setup.ts');
  const hash = createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 16);
  const path = join(shared, `portal-${kind}-${hash}`);
  const [made] = await Promise.allSettled([mkdir(path, { mode: 0o700 })]);
  if (made.status === 'rejected') {
    await untilProgress(
      'the first start of a portal',
      async () => ({ isDone: await isThere(`${path}.json`), files: await countFiles(path) }),
      ({ isDone }) => isDone,
    );
    return path;
  }
  const words = await firstStart(path, settings);
  // Write to another name first; others then never read half of it.
  await writeFile(`${path}.part`, JSON.stringify(words));
  await rename(`${path}.part`, `${path}.json`);
  return path;
}

/** Files can disappear while they are counted. */
const countFiles = (folder: string): Promise<number> =>
  readdir(folder, { recursive: true }).then(
    ({ length }) => length,
    () => -1,
  );

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
