/** Value of an input in a round: never the one it has. */
export const inputValue = (index: number, round: number): number => 50 + index + (round + 2) * 11;
