/** Production systems are installed from the archive of a version: it contains no tests and needs none. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { readText, ROOT } from './source-files.ts';

/** Returns the files that `git archive` takes from the last commit, by the attributes of this checkout. */
function listArchived(): string[] {
  const tar = execFileSync('git', ['archive', '--worktree-attributes', 'HEAD'], {
    cwd: ROOT,
    maxBuffer: 1024 * 1024 * 1024,
  });
  return execFileSync('tar', ['-t'], { input: tar, maxBuffer: 64 * 1024 * 1024 })
    .toString()
    .split('\n')
    .filter((path) => path !== '' && !path.endsWith('/'));
}

const paths = listArchived();

test('an archive of the version has the product and no test', () => {
  expect(paths).toEqual(expect.arrayContaining(['package.json', 'server/main.ts', 'desktop/renderer/index.html']));
  expect(paths.filter((path) => /\.test\.tsx?$|^test\/|\/testing\//.test(path))).toEqual([]);
});

test('nothing that is in it imports what is not, but for the benches and the photographs', () => {
  const sources = paths.filter((path) => /\.(?:ts|tsx|js)$/.test(path) && !/^scripts\/(bench|photograph)\//.test(path));
  const importing = sources.filter((path) =>
    /from '(?:#test\/|#shared\/testing\/|[^']*\/testing\/|[^']*\.test\.ts)/.test(readText(path)),
  );
  expect(importing).toEqual([]);
});
