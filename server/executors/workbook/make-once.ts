/** Creates a value on first use and caches it. */
export function makeOnce<T>(make: () => T): () => T {
  let cached: { value: T } | undefined;
  return () => (cached ??= { value: make() }).value;
}
