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

/** Returns the object that a page is about; null for pages about none, and for pages about a run. */
export function objectAt(path: string): ObjectAddress | null {
  for (const [kind, pattern] of ADDRESSES) {
    const id = pattern.exec(path)?.[1];
    if (id !== undefined && /^[1-9]\d{0,9}$/.test(id)) return { kind, id: Number(id) };
  }
  return null;
}
