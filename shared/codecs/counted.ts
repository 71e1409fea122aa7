/** Returns a number with its noun, such as '1 row' or '2 rows'. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
