import { PAGES } from '../pages.ts';

/** Pages about an object: the palette treats them as the object's place. */
const ABOUT: readonly [RegExp, (id: string) => string][] = [
  [/^\/activities\/(?:(?:run|edit|runhistory|versions)\/)?(\d+)(?:\/|$)/, (id) => `/activities/${id}/`],
  [/^\/(?:checklists|workflows)\/(?:run|edit|runhistory|versions)\/(\d+)(?:\/|$)/, (id) => `/checklists/${id}/`],
  [/^\/dashboards\/(?:edit\/)?(\d+)(?:\/|$)/, (id) => `/dashboards/${id}`],
  [/^\/tableviews\/(?:run|edit)\/(\d+)(?:\/|$)/, (id) => `/tableviews/run/${id}`],
];

/** Returns the object's path for a page about an object; otherwise the path itself without trailing slash. */
export function objectPath(path: string): string {
  for (const [pattern, toPath] of ABOUT) {
    const id = pattern.exec(path)?.[1];
    if (id !== undefined) return toPath(id);
  }
  return path.replace(/\/+$/, '');
}

/**
 * Returns whether users return to it: a listed page, or a page about an object. Pages about a run, a user or a role do
 * not count.
 */
export const isLasting = (path: string): boolean =>
  PAGES.some((page) => objectPath(page.path) === objectPath(path)) || ABOUT.some(([pattern]) => pattern.test(path));
