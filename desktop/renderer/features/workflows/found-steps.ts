/** Returns the steps whose names or descriptions contain all words of a search; empty if the search is empty. */
export function foundSteps<T extends { Name: string; label: string }>(steps: readonly T[], search: string): T[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return steps.filter(({ Name, label }) => {
    const text = `${Name} ${label}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
