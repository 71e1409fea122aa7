/** Well below the limits of both databases on values per statement. */
const VALUES_PER_STATEMENT = 500;

/** Reads rows for many values, with one statement per part of the values. */
export async function inParts<V, R>(values: readonly V[], read: (part: V[]) => PromiseLike<R[]>): Promise<R[]> {
  const found: R[] = [];
  for (let start = 0; start < values.length; start += VALUES_PER_STATEMENT)
    found.push(...(await read(values.slice(start, start + VALUES_PER_STATEMENT))));
  return found;
}
