/**
 * The items that hold every word of the query, best first: those that begin with the query, then those where a word begins
 * with it, then the rest; each group in the order given.
 */
export function rankByWords<T>(query: string, items: readonly T[], textOf: (item: T) => string): T[] {
  const wanted = query.toLowerCase().trim();
  if (wanted === '') return [...items];
  const words = wanted.split(/\s+/);
  const ranked = items.flatMap((item, index) => {
    const text = textOf(item).toLowerCase();
    if (!words.every((word) => text.includes(word))) return [];
    const rank = text.startsWith(wanted) ? 0 : text.split(/\s+/).some((part) => part.startsWith(words[0]!)) ? 1 : 2;
    return [{ item, rank, index }];
  });
  return ranked.toSorted((a, b) => a.rank - b.rank || a.index - b.index).map(({ item }) => item);
}
