/** Colors and dashes of the lines of plots, on light screens and in PDFs. Colors after Okabe and Ito. */

export const LIGHT_COLORS: readonly string[] = ['#0b62a4', '#a84300', '#00694e', '#8f3f75', '#6b5d00', '#3a3f46'];

const DASHES: readonly (readonly number[])[] = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 5], [14, 4]];

/** Dashes distinguish lines that would look alike without color. */
export const seriesDash = (index: number): number[] => [...DASHES[index % DASHES.length]!];
