/** Builds the renderer if its sources have changed since the last build. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const RENDERER_SOURCES: readonly string[] = [
  'desktop/renderer',
  'desktop/bridge',
  'shared',
  'build/vite.config.ts',
  'build/excel.config.ts',
  'build/blueprint-icons.ts',
  'build/blueprint-style.ts',
  'build/compressed-files.ts',
  'build/contract-schemas.ts',
  'build/help-pages.ts',
  'build/page-chunks.ts',
  'build/help-page.ts',
  'docs',
  'package-lock.json',
];
const BUILT_PAGE = join(ROOT, 'build/out/renderer/index.html');
/** Outside the output folder, because each build empties that folder. */
const HASH_FILE = join(ROOT, 'build/out/renderer-sources.sha256');

/** Returns a hash of the names and contents of all files below the given files and folders, except tests. */
export function hashSources(root: string, sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of sources.flatMap((source) => listFiles(root, source)).sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(root: string, path: string): string[] {
  if (/\.test\.tsx?$/.test(path) || !existsSync(join(root, path))) return [];
  const entries = readEntries(join(root, path));
  return entries === null ? [path] : entries.flatMap((name) => listFiles(root, `${path}/${name}`));
}

function readEntries(path: string): string[] | null {
  try {
    return readdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return null;
    throw error;
  }
}

/**
 * Builds unless the sources are unchanged since the last build. Returns true if it built. Throws if the build fails.
 */
export function buildRenderer({ quiet = false } = {}): boolean {
  const hash = hashSources(ROOT, RENDERER_SOURCES);
  if (existsSync(BUILT_PAGE) && existsSync(HASH_FILE) && readFileSync(HASH_FILE, 'utf8') === hash) return false;
  console.log('Building the pages …');
  const vite = fileURLToPath(new URL('./bin/vite.js', import.meta.resolve('vite/package.json')));
  const level = quiet ? ['--logLevel', 'warn'] : [];
  // The portal's build must come first, because it empties the folder of both.
  for (const config of ['build/vite.config.ts', 'build/excel.config.ts']) {
    const build = spawnSync(process.execPath, [vite, 'build', '--config', config, ...level], {
      cwd: ROOT,
      stdio: 'inherit',
      // Tests set 'test', and their build would remain in the folder: it contains React's development code and is half
      // as large again.
      env: { ...process.env, NODE_ENV: 'production' },
    });
    if (build.error) throw build.error;
    if (build.status !== 0)
      throw new Error(`the build of the pages failed (exit code ${build.status ?? build.signal})`);
  }
  mkdirSync(dirname(HASH_FILE), { recursive: true });
  writeFileSync(HASH_FILE, hash);
  return true;
}
