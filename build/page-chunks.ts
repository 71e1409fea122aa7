/**
 * Which modules go into one file of the build. Left alone, each set of pages that share a module gets a file of its own: a form was made of
 * eighty, most of them small, which compress to a fifth more than what is in them does together.
 */
import { fileURLToPath } from 'node:url';
import { build, type InlineConfig, type Rolldown } from 'vite';

const RENDERER = fileURLToPath(new URL('../desktop/renderer/', import.meta.url));

/** What the pages of the portal begin with, so that none of those has to carry it. */
const ENTRY = 'main.tsx';
/** Stands around the pages of those who are signed in. */
const FRAME = 'app/Frame.tsx';

/** The pages whose size is held, see scripts/page-sizes.test.ts, by what each consists of. */
const PAGES: Record<string, readonly string[]> = {
  login: [ENTRY, 'features/sign-in/LoginPage.tsx'],
  frame: [ENTRY, FRAME],
  activities: [ENTRY, FRAME, 'features/activities/ActivitiesPage.tsx'],
  run: [ENTRY, FRAME, 'features/runs/form/RunFormPage.tsx'],
  visitors: ['public.tsx'],
  outcome: ['public.tsx', 'features/public-run/PublicRunStatus.tsx'],
};

/**
 * The name of the file for each module that more than one of the pages needs: by which of them do, so that none fetches what it does not
 * need, and no two files need each other. What one page alone needs, or none of them, is left to the bundler.
 * Which modules a page needs is known once the bundler has left out what nobody uses: so all is built once before, and thrown away.
 * @param config of the build
 */
export async function pageChunks(config: InlineConfig): Promise<(id: string) => string | null> {
  const chunks = await chunksAlone(config);
  const names = new Map<string, string>();
  for (const [page, parts] of Object.entries(PAGES)) {
    for (const id of modulesOf(parts, chunks)) names.set(id, names.has(id) ? `${names.get(id)}-${page}` : page);
  }
  // Those that are loaded by their path, under which the list of files has them.
  for (const part of Object.values(PAGES).flat()) names.delete(RENDERER + part);
  return (id) => {
    const name = names.get(id);
    return name?.includes('-') ? name : null;
  };
}

/** What the bundler makes of the build by itself, by the names of the files. */
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

/** The modules of files that are there before a page begins, those left out that the bundler itself adds: its own, and HTML as the entry of its scripts. */
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
