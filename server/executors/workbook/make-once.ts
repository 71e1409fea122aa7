/** Something that is made when it is first asked for, and then kept. */
export function makeOnce<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
