/** Returns the stored names of outputs; none if the text was not written by this version. */
export function readChosenPlots(stored: string | null): Set<string> {
  if (stored === null) return new Set();
  try {
    const names: unknown = JSON.parse(stored);
    return new Set(Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []);
  } catch {
    return new Set();
  }
}
