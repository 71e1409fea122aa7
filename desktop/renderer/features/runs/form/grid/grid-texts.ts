/** What an input grid says of what was done. */

/** '1 row', '3 rows'. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const leftOut = (count: number, noun: string): string =>
  `${counted(count, noun)} ${count === 1 ? 'was' : 'were'} left out`;

/** '' where all could be written. */
export const refusedText = (refused: number): string =>
  refused === 0 ? '' : `${leftOut(refused, 'value')}: ${refused === 1 ? 'its cell' : 'their cells'} cannot be changed.`;
