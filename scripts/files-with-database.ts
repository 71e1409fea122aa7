/** Determines from the imports which test files have a separate database. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Modules that create databases for tests. */
const MAKERS = new Set(['test/support/database.ts', 'test/support/fresh-database.ts']);
const IMPORT = /\bfrom '(#test\/|\.{1,2}\/)([^']+)'/g;

/**
 * Returns true if a test, given by its path from the project root, imports one of those modules directly or through
 * other files below test/.
 */
export function hasDatabase(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file) || !existsSync(file)) return false;
  seen.add(file);
  return importsWithinTests(file).some((imported) => MAKERS.has(imported) || hasDatabase(imported, seen));
}

function importsWithinTests(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)]
    .map(([, from, path]) => (from === '#test/' ? join('test', path!) : join(dirname(file), from!, path!)))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.startsWith('test/'));
}
