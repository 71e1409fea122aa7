/**
 * Which of our modules go into one file of the build. Left alone, each set of pages that share a module gets a file of its own: a form
 * was made of eighty small ones, which compress to half as much again as what is in them does together.
 */
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RENDERER = `${ROOT}desktop/renderer/`;

/** The pages whose size is held, see scripts/page-sizes.test.ts. */
const PAGES = {
  login: 'features/sign-in/LoginPage.tsx',
  frame: 'app/Frame.tsx',
  activities: 'features/activities/ActivitiesPage.tsx',
  run: 'features/runs/form/RunFormPage.tsx',
  public: 'features/public-run/PublicRunPage.tsx',
};

interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/**
 * The name of the file for a module of ours: by which of the pages need it at once, so that none of them fetches what it does not
 * need. What one page alone needs, or none of them, and what the entry has anyway, is left to the bundler, as are libraries: which of
 * their modules are used is known to it alone.
 */
export function createPageChunks(entry: string): (id: string, graph: Graph) => string | null {
  let names: Map<string, string> | undefined;
  return (id, graph) => {
    names ??= nameAll(entry, graph);
    return names.get(id) ?? null;
  };
}

function nameAll(entry: string, graph: Graph): Map<string, string> {
  const inEntry = reached(`${RENDERER}${entry}`, graph);
  const names = new Map<string, string>();
  for (const [page, path] of Object.entries(PAGES)) {
    for (const id of reached(`${RENDERER}${path}`, graph)) {
      if (!inEntry.has(id)) names.set(id, names.has(id) ? `${names.get(id)}-${page}` : page);
    }
  }
  return new Map([...names].filter(([, name]) => name.includes('-')));
}

/** Our modules that a module needs before it runs, and itself. */
function reached(from: string, graph: Graph): Set<string> {
  const seen = new Set<string>();
  const visit = (id: string): void => {
    if (seen.has(id) || !id.startsWith(ROOT) || id.includes('/node_modules/')) return;
    seen.add(id);
    graph.getModuleInfo(id)?.importedIds.forEach(visit);
  };
  visit(from);
  return seen;
}
