/** The files of tests that failed in the last `npm test`, for `npm run test:again`. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Of vitest's report; a file fails by its hooks too. */
export interface FileResult {
  name: string;
  status: string;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = new URL('../test-results/', import.meta.url);
const KEPT = new URL('failed-files.json', FOLDER);

export function keepFailedFiles(results: readonly FileResult[]): void {
  mkdirSync(FOLDER, { recursive: true });
  const failed = results.filter(({ status }) => status === 'failed').map(({ name }) => relative(ROOT, name));
  writeFileSync(KEPT, JSON.stringify(failed));
}

export const readFailedFiles = (): string[] =>
  existsSync(KEPT) ? (JSON.parse(readFileSync(KEPT, 'utf8')) as string[]) : [];

/** Whether the tests of a file, by its path from the root, draw their values at random: a counterexample is a fault, however seldom it is drawn. */
export const checksProperties = (file: string): boolean =>
  /from 'fast-check'/.test(readFileSync(join(ROOT, file), 'utf8'));
