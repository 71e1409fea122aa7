/** A package with some parts replaced. It is written and read like one opened from a file. */
import type { PackageEntry, WorkbookPackage } from '../package.ts';

/** `changed` maps lower-case paths to new bytes, or to null for omitted parts. */
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
