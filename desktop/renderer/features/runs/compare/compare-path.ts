/** Maximum number of runs in one comparison. */
export const MAX_COMPARED_RUNS = 5;

/** Query parameter for the runs after the first two. */
export const MORE_RUNS = 'more';

/** Returns the path of the comparison. The other runs are compared with the oldest run. */
export function comparePath(ids: readonly number[]): string {
  const [left, right, ...more] = ids.toSorted((a, b) => a - b);
  return `/activities/runcompare/${left}/${right}${more.length > 0 ? `?${MORE_RUNS}=${more.join()}` : ''}`;
}
