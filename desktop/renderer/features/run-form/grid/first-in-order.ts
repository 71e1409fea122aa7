/** Returns the first `count` items in an order without sorting the rest: sorting 50,000 texts is noticeably slow. */
export function firstInOrder<T>(items: Iterable<T>, count: number, compare: (a: T, b: T) => number): T[] {
  const first: T[] = [];
  for (const item of items) {
    if (first.length === count && compare(item, first[count - 1]!) >= 0) continue;
    first.splice(indexAfterEquals(first, item, compare), 0, item);
    if (first.length > count) first.pop();
  }
  return first;
}

function indexAfterEquals<T>(sorted: readonly T[], item: T, compare: (a: T, b: T) => number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(sorted[middle]!, item) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
