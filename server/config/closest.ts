/** Returns the word that `given` was most likely meant to be; undefined if none is similar. */
export function closest(given: string, words: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(given.length / 3));
  const near = words
    .map((word) => ({ word, distance: editDistance(given.toUpperCase(), word.toUpperCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.word;
}

/** Levenshtein distance: the minimum number of letters inserted, deleted or replaced. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
