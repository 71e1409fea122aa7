/**
 * Builds the activities list as a tree of schemas, groups, functions and tiles. Source: specification of activities,
 * section 2.
 */
import type { ActivityList, ActivityListItem } from '#shared/contract/activities.ts';
import type { ChecklistListItem } from '#shared/contract/checklist-list.ts';
import { compareNames } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';

export const MISCELLANEOUS = t('Miscellaneous');

export interface FunctionSection {
  key: string;
  title: string;
  activities: ActivityListItem[];
}

export interface ChecklistSection {
  key: string;
  title: string;
  checklists: ChecklistListItem[];
}

export interface GroupSection {
  key: string;
  title: string;
  /** Null if the group has no checklists. */
  checklists: ChecklistSection | null;
  functions: FunctionSection[];
  count: number;
}

export interface SchemaSection {
  key: string;
  title: string;
  groups: GroupSection[];
  count: number;
}

/** The items of a section before it is divided further. */
interface Members {
  activities: ActivityListItem[];
  checklists: ChecklistListItem[];
}

/**
 * Returns the sections that have at least one activity or checklist matching the search. The key of a section is its
 * path, so it stays stable.
 */
export function buildSections(list: ActivityList, search: string): SchemaSection[] {
  const found = { activities: matching(list.Activities, search), checklists: matching(list.Checklists, search) };
  const schemas = list.Schemas.toSorted((a, b) => a.Order - b.Order || compareNames(a.DisplayName, b.DisplayName));
  const known = new Set(schemas.map((schema) => schema.Name));
  const others = [...new Set([...found.activities, ...found.checklists].map(({ Schema }) => Schema))]
    .filter((name) => !known.has(name))
    .map((name) => ({ Name: name, DisplayName: name }));
  return [...schemas, ...others].flatMap(({ Name, DisplayName }) => {
    const members = {
      activities: found.activities.filter(({ Schema }) => Schema === Name),
      checklists: found.checklists.filter(({ Schema }) => Schema === Name),
    };
    const count = countOf(members);
    if (count === 0) return [];
    const key = `schema:${Name}`;
    return [{ key, title: DisplayName || Name, groups: buildGroups(key, members, list), count }];
  });
}

const countOf = ({ activities, checklists }: Members): number => activities.length + checklists.length;

function buildGroups(parent: string, { activities, checklists }: Members, list: ActivityList): GroupSection[] {
  const isChecklist = (item: ActivityListItem | ChecklistListItem): item is ChecklistListItem => 'IsWorkflow' in item;
  return splitBy([...activities, ...checklists], ({ Group }) => Group, list.Groups).map(({ name, members }) => {
    const key = `${parent}/group:${name}`;
    const ofGroup = members.filter(isChecklist).toSorted(compareItems);
    return {
      key,
      title: name || MISCELLANEOUS,
      checklists: ofGroup.length > 0 ? { key: `${key}/checklists`, title: t('Checklists'), checklists: ofGroup } : null,
      functions: buildFunctions(
        key,
        members.flatMap((item) => (isChecklist(item) ? [] : [item])),
        list,
      ),
      count: members.length,
    };
  });
}

function buildFunctions(parent: string, activities: ActivityListItem[], list: ActivityList): FunctionSection[] {
  return splitBy(activities, (activity) => activity.Function, list.Functions).map(({ name, members }) => ({
    key: `${parent}/function:${name}`,
    title: name || MISCELLANEOUS,
    activities: members.toSorted(compareItems),
  }));
}

/** Groups items by name, in the order in which the server lists the names. The blank name comes last. */
function splitBy<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  order: readonly string[],
): { name: string; members: Item[] }[] {
  const positions = new Map(order.map((name, index) => [name, index]));
  const positionOf = (name: string): number => (name === '' ? Infinity : (positions.get(name) ?? order.length));
  const groups = Map.groupBy(items, nameOf);
  return [...groups]
    .map(([name, members]) => ({ name, members }))
    .toSorted((a, b) =>
      positionOf(a.name) === positionOf(b.name)
        ? compareNames(a.name, b.name)
        : positionOf(a.name) - positionOf(b.name),
    );
}

/** Compares by Order, then by name; items without an Order come last. */
function compareItems(
  a: Pick<ActivityListItem, 'Order' | 'Name'>,
  b: Pick<ActivityListItem, 'Order' | 'Name'>,
): number {
  const orderA = a.Order ?? Infinity;
  const orderB = b.Order ?? Infinity;
  return orderA === orderB ? compareNames(a.Name, b.Name) : orderA - orderB;
}

type Searched = Pick<ActivityListItem, 'Name' | 'Description' | 'Group'> & { Function?: string };

function matching<Item extends Searched>(items: readonly Item[], search: string): Item[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...items];
  return items.filter(({ Name, Description, Group, Function: purpose = '' }) => {
    const text = `${Name}\n${Description}\n${Group}\n${purpose}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Returns the days of the latest runs for the legend: at most three, newest first, in the user's local calendar. */
export function recentRunDays({ Activities, Checklists }: Pick<ActivityList, 'Activities' | 'Checklists'>): number[] {
  const times = [
    ...Activities.map(({ LastRun }) => LastRun?.QueueTime),
    ...Checklists.map(({ LastRunQueueTime }) => LastRunQueueTime),
  ];
  const days = new Set(times.flatMap((time) => (time ? [dayOf(time)] : [])));
  return [...days].toSorted((a, b) => b - a).slice(0, 3);
}

/** Returns the local midnight of the day of a time, in milliseconds. */
export function dayOf(timestamp: string): number {
  const date = new Date(timestamp);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
