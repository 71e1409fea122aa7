/** Determines the files that the linter reads. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const SKIPPED_FOLDERS = new Set(['node_modules', '.git', '.cache', 'data', 'out']);
/** Sources, and the settings of the linter and of TypeScript. */
const READ = /\.(?:[cm]?[jt]sx?|jsonc?)$|^\.gitignore$/;
/** npm writes this file whenever it installs something, which may change types. */
const INSTALLED = 'node_modules/.package-lock.json';

function listInputs(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : listInputs(path);
    return READ.test(entry.name) ? [path] : [];
  });
}

/** Returns a hash of the names and contents of all files that affect the linter's result. */
export function hashLintInputs(root: string): string {
  const hash = createHash('sha256');
  const paths = [...listInputs(root), join(root, INSTALLED)].filter((path) => existsSync(path));
  for (const path of paths.toSorted()) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex');
}
