/** Returns the stored names of outputs; null if there is no choice, or none that this version can read. */
export function readChosenPlots(stored: string | null): Set<string> | null {
  if (stored === null) return null;
  try {
    const names: unknown = JSON.parse(stored);
    return Array.isArray(names) ? new Set(names.filter((name) => typeof name === 'string')) : null;
  } catch {
    return null;
  }
}
