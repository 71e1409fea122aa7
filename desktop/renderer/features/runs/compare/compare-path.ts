/** Runs that can be compared at once. */
export const COMPARED_MOST = 5;

/** In the address: runs beside the first two. */
export const MORE_RUNS = 'more';

/** Where runs are compared: the oldest is what the others are held against. */
export function comparePath(ids: readonly number[]): string {
  const [left, right, ...more] = ids.toSorted((a, b) => a - b);
  return `/activities/runcompare/${left}/${right}${more.length > 0 ? `?${MORE_RUNS}=${more.join()}` : ''}`;
}
