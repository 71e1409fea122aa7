/**
 * The server, its command line and the thread that calculates workbooks as one file each, for tests that start them many times: reading two thousand
 * modules takes more than half of the CPU time of a start. Packages are read from node_modules, and other threads from their sources. Nothing else uses
 * these files: `npm start` and the full set of tests run the sources.
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
const SOURCES = ['server', 'shared', 'package-lock.json', 'scripts/bundle-server.ts'];
/** Beside the folder of the build, which each build empties. */
const HASH_FILE = join(ROOT, 'build/out/server-sources.sha256');
/** Many small modules that no other package imports, so there is no second copy beside the bundle. */
const BUNDLED_PACKAGES = ['typebox'];

const STARTS_THREAD = join(ROOT, 'server/executors/workbook/pool/thread.ts');
const THREAD_SOURCE = "new URL('./worker.ts', import.meta.url)";

const textOfUrl = (path: string): string => JSON.stringify(pathToFileURL(path).href);

/** Has workbooks calculated by the bundled thread, in the bundle and in the processes of tests. */
export const BUNDLED_THREAD: Plugin = {
  name: 'bundled-thread',
  enforce: 'pre',
  transform(code, id) {
    if (id !== STARTS_THREAD) return undefined;
    if (!code.includes(THREAD_SOURCE)) throw new Error(`${STARTS_THREAD} does not contain ${THREAD_SOURCE}`);
    return { code: code.replace(THREAD_SOURCE, `new URL(${textOfUrl(join(OUT, 'worker.js'))})`), map: null };
  },
};

/** Gives each module the address of its source, by which it finds files and threads. */
const SOURCE_ADDRESSES: Plugin = {
  name: 'source-addresses',
  enforce: 'pre',
  transform: (code, id) =>
    id.startsWith(ROOT) && code.includes('import.meta.url')
      ? { code: code.replaceAll('import.meta.url', textOfUrl(id)), map: null }
      : undefined,
};

/** Bundles unless that was done of the same sources; answers the folder of the files. Throws where it fails. */
export function bundleServer(): string {
  const hash = hashSources(ROOT, SOURCES);
  if (existsSync(HASH_FILE) && readFileSync(HASH_FILE, 'utf8') === hash) return OUT;
  // Vite sets NODE_ENV to production in its process. The tests must not inherit that: npm would leave out development packages.
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
        // Names of classes reach logs and answers.
        output: { entryFileNames: '[name].js', keepNames: true },
      },
    },
  });
}

if (import.meta.main) await bundle();
