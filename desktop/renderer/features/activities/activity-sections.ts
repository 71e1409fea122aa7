/** The activities list as a tree: schemas, groups, functions, tiles. Source: specification of activities, section 2. */
import type { ActivityList, ActivityListItem } from '#shared/contract/activities.ts';

export const MISCELLANEOUS = 'Miscellaneous';

export interface FunctionSection {
  key: string;
  title: string;
  activities: ActivityListItem[];
}

export interface GroupSection {
  key: string;
  title: string;
  functions: FunctionSection[];
  count: number;
}

export interface SchemaSection {
  key: string;
  title: string;
  groups: GroupSection[];
  count: number;
}

/** Sections with at least one activity that matches the search; the key of a section names its path and stays the same. */
export function buildSections(list: ActivityList, search: string): SchemaSection[] {
  const found = matching(list.Activities, search);
  const schemas = list.Schemas.toSorted((a, b) => a.Order - b.Order || compareTexts(a.DisplayName, b.DisplayName));
  const known = new Set(schemas.map((schema) => schema.Name));
  const others = [...new Set(found.map((activity) => activity.Schema))]
    .filter((name) => !known.has(name))
    .map((name) => ({ Name: name, DisplayName: name }));
  return [...schemas, ...others].flatMap(({ Name, DisplayName }) => {
    const activities = found.filter((activity) => activity.Schema === Name);
    if (activities.length === 0) return [];
    const key = `schema:${Name}`;
    return [{ key, title: DisplayName || Name, groups: buildGroups(key, activities, list), count: activities.length }];
  });
}

function buildGroups(parent: string, activities: ActivityListItem[], list: ActivityList): GroupSection[] {
  return splitBy(activities, (activity) => activity.Group, list.Groups).map(({ name, members }) => {
    const key = `${parent}/group:${name}`;
    return { key, title: name || MISCELLANEOUS, functions: buildFunctions(key, members, list), count: members.length };
  });
}

function buildFunctions(parent: string, activities: ActivityListItem[], list: ActivityList): FunctionSection[] {
  return splitBy(activities, (activity) => activity.Function, list.Functions).map(({ name, members }) => ({
    key: `${parent}/function:${name}`,
    title: name || MISCELLANEOUS,
    activities: members.toSorted(compareActivities),
  }));
}

/** Members by name, in the order the server gives the names; blank is last. */
function splitBy(
  activities: ActivityListItem[],
  nameOf: (activity: ActivityListItem) => string,
  order: readonly string[],
): { name: string; members: ActivityListItem[] }[] {
  const places = new Map(order.map((name, index) => [name, index]));
  const place = (name: string): number => (name === '' ? Infinity : (places.get(name) ?? order.length));
  const groups = Map.groupBy(activities, nameOf);
  return [...groups]
    .map(([name, members]) => ({ name, members }))
    .toSorted((a, b) =>
      place(a.name) === place(b.name) ? compareTexts(a.name, b.name) : place(a.name) - place(b.name),
    );
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const compareTexts = (a: string, b: string): number => collator.compare(a, b);

/** By Order, those without one last, then by name. */
function compareActivities(a: ActivityListItem, b: ActivityListItem): number {
  const orderA = a.Order ?? Infinity;
  const orderB = b.Order ?? Infinity;
  return orderA === orderB ? compareTexts(a.Name, b.Name) : orderA - orderB;
}

function matching(activities: readonly ActivityListItem[], search: string): ActivityListItem[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...activities];
  return activities.filter(({ Name, Description, Group, Function: purpose }) => {
    const text = `${Name}\n${Description}\n${Group}\n${purpose}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Keys of everything that can be folded, levels that are skipped left out. */
export function foldableKeys(sections: readonly SchemaSection[]): string[] {
  return sections.flatMap((schema) => [
    ...(sections.length > 1 ? [schema.key] : []),
    ...schema.groups.flatMap((group) => [
      ...(schema.groups.length > 1 ? [group.key] : []),
      ...group.functions.map((section) => section.key),
    ]),
  ]);
}

/** The days (as the person's calendar counts them) of the latest runs, newest first, at most three: the legend. */
export function recentRunDays(activities: readonly ActivityListItem[]): number[] {
  const days = new Set(activities.flatMap(({ LastRun }) => (LastRun ? [dayOf(LastRun.QueueTime)] : [])));
  return [...days].toSorted((a, b) => b - a).slice(0, 3);
}

/** Midnight of a moment's day, in milliseconds. */
export function dayOf(moment: string): number {
  const date = new Date(moment);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
