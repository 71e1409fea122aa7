/** A package with some parts in the place of others: written and read like one that was opened from a file. */
import type { PackageEntry, WorkbookPackage } from '../package.ts';

/** `changed` by path in lower case: new bytes, or null for a part that is left out. */
export function changedPackage(
  source: WorkbookPackage,
  changed: ReadonlyMap<string, Uint8Array | null>,
): WorkbookPackage {
  const entries = source.entries.flatMap((entry): PackageEntry[] => {
    const bytes = changed.get(entry.path.toLowerCase());
    if (bytes === undefined) return [entry];
    return bytes === null ? [] : [{ ...entry, changed: bytes }];
  });
  return {
    entries,
    paths: source.paths.filter((path) => changed.get(path.toLowerCase()) !== null),
    part: (path) => {
      const bytes = changed.get(path.toLowerCase());
      return bytes === undefined ? source.part(path) : (bytes ?? undefined);
    },
  };
}
