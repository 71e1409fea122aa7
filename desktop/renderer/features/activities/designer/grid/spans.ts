/** Values that apply to ranges of rows or columns: [first, last, value], ascending. */

/** Returns the value at an index; undefined if no span covers it. */
export function spanValue(spans: readonly (readonly number[])[], index: number): number | undefined {
  let [low, high] = [0, spans.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first, last, value] = spans[middle]!;
    if (index < first!) high = middle - 1;
    else if (index > last!) low = middle + 1;
    else return value;
  }
  return undefined;
}
