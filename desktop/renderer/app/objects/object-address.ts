/** Which activity, checklist, workflow or table view a page is about, by its address. */
export type ObjectKind = 'activity' | 'checklist' | 'tableView';

export interface ObjectAddress {
  kind: ObjectKind;
  id: number;
}

const ADDRESSES: readonly [ObjectKind, RegExp][] = [
  ['activity', /^\/activities\/(\d+)(?=\/|$)/],
  [
    'activity',
    /^\/activities\/(?:run|batch|runhistory|follow|versions|schedule\/edit|schedule\/further|triggers|alerts|access|testbed|edit|runretention\/edit|linkage\/new)\/(\d+)(?=\/|$)/,
  ],
  [
    'checklist',
    /^\/(?:checklists|workflows)\/(?:run|runhistory|versions|schedule\/edit|schedule\/further|triggers|alerts|edit|runretention\/edit)\/(\d+)(?=\/|$)/,
  ],
  ['tableView', /^\/tableviews\/(?:run|edit)\/(\d+)(?=\/|$)/],
];

/** Pages that name their object themselves (usePageObject), because their address has the id of a run or a linkage. */
const NAMES_ITS_OBJECT =
  /^\/((activities|checklists|workflows)\/runstatus|activities\/linkage\/edit)\/[1-9]\d*(?=\/|$)/;

export const namesItsObject = (path: string): boolean => NAMES_ITS_OBJECT.test(path);

/** Returns the object that the address of a page contains; null if it contains none. */
export function objectAt(path: string): ObjectAddress | null {
  for (const [kind, pattern] of ADDRESSES) {
    const id = pattern.exec(path)?.[1];
    if (id !== undefined && /^[1-9]\d{0,9}$/.test(id)) return { kind, id: Number(id) };
  }
  return null;
}
