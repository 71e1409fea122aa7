/** Value of an input in a round. It always differs from the current value. */
export const inputValue = (index: number, round: number): number => 50 + index + (round + 2) * 11;
