import type { NamedChange } from '#shared/contract/version-changes.ts';

/** Something with a name, described by text fields. */
export interface Described {
  Name: string;
  fields: Record<string, string>;
}

/** Longer texts are truncated in the list of changes. */
const MAX_TEXT_LENGTH = 500;

/**
 * Compares two lists by name, ignoring case, and returns the items that were added, removed or changed in some field.
 */
export function compareNamed(before: readonly Described[], after: readonly Described[]): NamedChange[] {
  const earlier = new Map(before.map((item) => [item.Name.toLowerCase(), item]));
  const changes: NamedChange[] = [];
  for (const { Name, fields } of after) {
    const old = earlier.get(Name.toLowerCase());
    earlier.delete(Name.toLowerCase());
    if (!old) {
      changes.push({ Name, Change: 'Added', Fields: [] });
      continue;
    }
    const Fields = changedFields({ Name: old.Name, ...old.fields }, { Name, ...fields });
    if (Fields.length > 0) changes.push({ Name, Change: 'Changed', Fields });
  }
  for (const { Name } of earlier.values()) changes.push({ Name, Change: 'Removed', Fields: [] });
  return changes;
}

function changedFields(before: Record<string, string>, after: Record<string, string>): NamedChange['Fields'] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((Field) => (before[Field] ?? '') !== (after[Field] ?? ''))
    .map((Field) => ({ Field, Before: cut(before[Field] ?? ''), After: cut(after[Field] ?? '') }));
}

const cut = (text: string): string => (text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text);
