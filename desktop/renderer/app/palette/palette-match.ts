/**
 * Returns the items that contain every word of the query, best first: items that start with the query, then items with
 * a word that starts with it, then the rest. Each group keeps the given order.
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
