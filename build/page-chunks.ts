/**
 * Which of our modules, and of the icons they draw, go into one file of the build. Left alone, each set of pages that share a module gets a
 * file of its own: a form was made of eighty small ones, which compress to half as much again as what is in them does together.
 */
import { fileURLToPath } from 'node:url';
import { ICON, ICON_LIST } from './blueprint-icons.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RENDERER = `${ROOT}desktop/renderer/`;

/** What the pages of the portal begin with, so that none of those has to carry it. */
const ENTRY = 'main.tsx';

/** The pages whose size is held, see scripts/page-sizes.test.ts; that of visitors does not begin with the entry. */
const PORTAL_PAGES = {
  login: 'features/sign-in/LoginPage.tsx',
  frame: 'app/Frame.tsx',
  activities: 'features/activities/ActivitiesPage.tsx',
  run: 'features/runs/form/RunFormPage.tsx',
};
const VISITORS_PAGE = 'public.tsx';

interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[]; importers: readonly string[] } | null;
}

/**
 * The name of the file for a module of ours: by which of the pages need it at once, so that none of them fetches what it does not
 * need. What one page alone needs, or none of them, is left to the bundler, as are libraries: which of their modules are used is known to
 * it alone.
 */
export function createPageChunks(): (id: string, graph: Graph) => string | null {
  let names: Map<string, string> | undefined;
  return (id, graph) => {
    names ??= nameAll(graph);
    return names.get(id) ?? null;
  };
}

function nameAll(graph: Graph): Map<string, string> {
  const inEntry = reached(`${RENDERER}${ENTRY}`, graph);
  const names = new Map<string, string>();
  const note = (page: string, id: string): void =>
    void names.set(id, names.has(id) ? `${names.get(id)}-${page}` : page);
  for (const id of inEntry) note('entry', id);
  for (const [page, path] of Object.entries(PORTAL_PAGES)) {
    for (const id of reached(`${RENDERER}${path}`, graph)) if (!inEntry.has(id)) note(page, id);
  }
  for (const id of reached(`${RENDERER}${VISITORS_PAGE}`, graph)) note('public', id);
  return new Map([...names].filter(([, name]) => name.includes('-')));
}

/** Our modules, and the icons, that a module needs before it runs, and itself. */
function reached(from: string, graph: Graph): Set<string> {
  const seen = new Set<string>();
  const visit = (id: string): void => {
    if (seen.has(id) || !(isOurs(id) || isOurIcon(id, graph))) return;
    seen.add(id);
    graph.getModuleInfo(id)?.importedIds.forEach(visit);
  };
  visit(from);
  return seen;
}

const isOurs = (id: string): boolean => id.startsWith(ROOT) && !id.includes('/node_modules/');

/** An icon that parts of Blueprint draw too is left with them: a file of ours that they need would need them in turn. */
function isOurIcon(id: string, graph: Graph): boolean {
  const importers = ICON.test(id) ? (graph.getModuleInfo(id)?.importers ?? []) : [];
  return importers.length > 0 && importers.every((importer) => isOurs(importer) || ICON_LIST.test(importer));
}
