/** Compares two manifests field by field, whatever the order of their fields is. */
import { isRecord } from './manifest-problems.ts';

export interface ManifestChange {
  /** For example steps.collect.inputs.Month.constant: items of lists are named by their key or name. */
  Path: string;
  /** The value as JSON; null if it is new. */
  Before: string | null;
  /** The value as JSON; null if it is removed. */
  After: string | null;
}

/** The fields that name an item of a list, the first that all items have. */
const NAMES = ['key', 'name', 'step'];

export function manifestChanges(before: object, after: object): ManifestChange[] {
  const changes: ManifestChange[] = [];
  compare('', before, after, changes);
  return changes;
}

function compare(path: string, before: unknown, after: unknown, changes: ManifestChange[]): void {
  if (isRecord(before) && isRecord(after)) {
    for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(path === '' ? field : `${path}.${field}`, own(before, field), own(after, field), changes);
    }
    return;
  }
  const [old, now] = [itemsByName(before), itemsByName(after)];
  if (old && now) return compareItems(path, old, now, changes);
  const [Before, After] = [textOf(before), textOf(after)];
  if (Before !== After) changes.push({ Path: path, Before, After });
}

const own = (record: Record<string, unknown>, field: string): unknown =>
  Object.hasOwn(record, field) ? record[field] : undefined;

/** Returns the items of a list by their names; null for anything else, and if two items have the same name. */
function itemsByName(list: unknown): Map<string, unknown> | null {
  if (!Array.isArray(list)) return null;
  const field = NAMES.find((name) => list.every((item) => isRecord(item) && typeof item[name] === 'string'));
  if (field === undefined) return null;
  const items = new Map(list.map((item: Record<string, unknown>) => [String(item[field]), item]));
  return items.size === list.length ? items : null;
}

function compareItems(
  path: string,
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  changes: ManifestChange[],
): void {
  for (const [name, item] of before) {
    if (!after.has(name)) changes.push({ Path: `${path}.${name}`, Before: textOf(item), After: null });
  }
  for (const [name, item] of after) compare(`${path}.${name}`, before.get(name), item, changes);
  const order = (one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): string =>
    [...one.keys()].filter((name) => other.has(name)).join(', ');
  const [Before, After] = [order(before, after), order(after, before)];
  if (Before !== After) changes.push({ Path: `${path} (order)`, Before, After });
}

/** Returns JSON whose fields are sorted, so that their order makes no difference. */
const textOf = (value: unknown): string | null =>
  value === undefined
    ? null
    : JSON.stringify(value, (_, one: unknown) =>
        isRecord(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
      );
