/**
 * Decides which modules share a file of the build. By default, the bundler creates a file for each set of pages that
 * share a module. A form then consisted of eighty mostly small files, which compress to a fifth more than one file with
 * the same content.
 */
import { fileURLToPath } from 'node:url';
import { build, type InlineConfig, type Rolldown } from 'vite';

const RENDERER = fileURLToPath(new URL('../desktop/renderer/', import.meta.url));

/** Entry of the portal's pages. Its modules are not repeated in the files of the pages. */
const ENTRY = 'main.tsx';
/** Surrounds the pages of signed-in users. */
const FRAME = 'app/Frame.tsx';

/** The pages with a size budget (see build/page-sizes.test.ts), with the modules of which each consists. */
const PAGES: Record<string, readonly string[]> = {
  login: [ENTRY, 'features/sign-in/LoginPage.tsx'],
  frame: [ENTRY, FRAME],
  activities: [ENTRY, FRAME, 'features/activities/list/ActivitiesPage.tsx'],
  run: [ENTRY, FRAME, 'features/run-form/RunFormPage.tsx'],
  visitors: ['public.tsx'],
  outcome: ['public.tsx', 'features/public-run/PublicRunStatus.tsx'],
};

/**
 * Returns a function that gives the file name for each module that several of the pages need. The name lists these
 * pages, so that no page loads unneeded code and no two files depend on each other. Modules of one page or of none are
 * left to the bundler. The modules of a page are known only after the bundler has removed unused code, so everything is
 * built once before and discarded.
 * @param config configuration of the build
 */
export async function pageChunks(config: InlineConfig): Promise<(id: string) => string | null> {
  const chunks = await chunksAlone(config);
  const names = new Map<string, string>();
  for (const [page, parts] of Object.entries(PAGES)) {
    for (const id of modulesOf(parts, chunks)) names.set(id, names.has(id) ? `${names.get(id)}-${page}` : page);
  }
  // These modules are loaded by their path, and the manifest lists them under it.
  for (const part of Object.values(PAGES).flat()) names.delete(RENDERER + part);
  return (id) => {
    const name = names.get(id);
    return name?.includes('-') ? name : null;
  };
}

/** Returns the output of the bundler without our grouping, by file name. */
async function chunksAlone(config: InlineConfig): Promise<ReadonlyMap<string, Rolldown.OutputChunk>> {
  const built = await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    build: { ...config.build, write: false, minify: false },
  });
  const outputs = [built].flat() as Rolldown.RolldownOutput[];
  const chunks = outputs.flatMap(({ output }) => output).filter((file) => file.type === 'chunk');
  return new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
}

/**
 * Returns the modules of the files that are loaded before a page starts. Skips modules that the bundler adds: its own,
 * and HTML files as the entries of their scripts.
 */
function modulesOf(parts: readonly string[], chunks: ReadonlyMap<string, Rolldown.OutputChunk>): Set<string> {
  const all = [...chunks.values()];
  const seen = new Set<Rolldown.OutputChunk>();
  const visit = (chunk: Rolldown.OutputChunk | undefined): void => {
    if (!chunk || seen.has(chunk)) return;
    seen.add(chunk);
    for (const name of chunk.imports) visit(chunks.get(name));
  };
  for (const part of parts) {
    const chunk = all.find(({ moduleIds }) => moduleIds.includes(RENDERER + part));
    if (!chunk) throw new Error(`the build has no ${part}`);
    visit(chunk);
  }
  return new Set([...seen].flatMap(({ moduleIds }) => moduleIds).filter((id) => !/^\0|\.html$/.test(id)));
}
