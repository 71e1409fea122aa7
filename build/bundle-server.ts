/**
 * Bundles the server, its command line and the thread that calculates workbooks into one file each, for tests that
 * start them many times. Loading two thousand modules takes more than half of the CPU time of a start. Packages are
 * read from node_modules, and other threads from their sources. Only tests use these files: `npm start` and the full
 * test set run the sources.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { hashSources } from './renderer-build.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(ROOT, 'build/out/server');
const ENTRIES = {
  main: 'server/main.ts',
  cli: 'server/cli/main.ts',
  worker: 'server/executors/workbook/pool/worker.ts',
};
const SOURCES = ['server', 'shared', 'package-lock.json', 'build/bundle-server.ts'];
/** Outside the output folder, because each build empties that folder. */
const HASH_FILE = join(ROOT, 'build/out/server-sources.sha256');
/**
 * Packages of many small modules that no other package imports, so that no second copy is loaded next to the bundle.
 */
const BUNDLED_PACKAGES = ['typebox'];

const STARTS_THREAD = join(ROOT, 'server/executors/workbook/pool/thread.ts');
const THREAD_SOURCE = "new URL('./worker.ts', import.meta.url)";

const textOfUrl = (path: string): string => JSON.stringify(pathToFileURL(path).href);

/** Makes the bundle and the test processes use the bundled thread for workbook calculations. */
export const BUNDLED_THREAD: Plugin = {
  name: 'bundled-thread',
  enforce: 'pre',
  transform(code, id) {
    if (id !== STARTS_THREAD) return undefined;
    if (!code.includes(THREAD_SOURCE)) throw new Error(`${STARTS_THREAD} does not contain ${THREAD_SOURCE}`);
    return { code: code.replace(THREAD_SOURCE, `new URL(${textOfUrl(join(OUT, 'worker.js'))})`), map: null };
  },
};

/** Gives each module the URL of its source, which it uses to find files and threads. */
const SOURCE_ADDRESSES: Plugin = {
  name: 'source-addresses',
  enforce: 'pre',
  transform: (code, id) =>
    id.startsWith(ROOT) && code.includes('import.meta.url')
      ? { code: code.replaceAll('import.meta.url', textOfUrl(id)), map: null }
      : undefined,
};

/**
 * Bundles unless the sources are unchanged since the last time. Returns the folder of the files. Throws if bundling
 * fails.
 */
export function bundleServer(): string {
  const hash = hashSources(ROOT, SOURCES);
  if (existsSync(HASH_FILE) && readFileSync(HASH_FILE, 'utf8') === hash) return OUT;
  // Vite sets NODE_ENV to production in its process. The tests must not inherit that, because npm would skip
  // development packages.
  const { status } = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the server could not be bundled');
  writeFileSync(HASH_FILE, hash);
  return OUT;
}

async function bundle(): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    plugins: [BUNDLED_THREAD, SOURCE_ADDRESSES],
    ssr: { noExternal: BUNDLED_PACKAGES },
    build: {
      ssr: true,
      outDir: OUT,
      emptyOutDir: true,
      minify: false,
      target: 'node24',
      rolldownOptions: {
        input: ENTRIES,
        // Class names appear in logs and responses.
        output: { entryFileNames: '[name].js', keepNames: true },
      },
    },
  });
}

if (import.meta.main) await bundle();
