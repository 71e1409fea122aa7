import { PAGES } from '../pages.ts';

/** Pages about one thing, whose place in the palette is the thing's. */
const ABOUT: readonly [RegExp, (id: string) => string][] = [
  [/^\/activities\/(?:(?:run|edit|runhistory|versions)\/)?(\d+)(?:\/|$)/, (id) => `/activities/${id}/`],
  [/^\/(?:checklists|workflows)\/(?:run|edit|runhistory|versions)\/(\d+)(?:\/|$)/, (id) => `/checklists/${id}/`],
  [/^\/dashboards\/(?:edit\/)?(\d+)(?:\/|$)/, (id) => `/dashboards/${id}`],
  [/^\/tableviews\/(?:run|edit)\/(\d+)(?:\/|$)/, (id) => `/tableviews/run/${id}`],
];

/** What a path is about; the path itself, without its last slash, where that is a page of its own. */
export function placeOf(path: string): string {
  for (const [pattern, place] of ABOUT) {
    const id = pattern.exec(path)?.[1];
    if (id !== undefined) return place(id);
  }
  return path.replace(/\/+$/, '');
}

/** Whether one comes back to it: a page, or a page about something; one about a run, a person or a role is none. */
export const isLasting = (path: string): boolean =>
  PAGES.some((page) => placeOf(page.path) === placeOf(path)) || ABOUT.some(([pattern]) => pattern.test(path));
