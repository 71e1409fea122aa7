/** Times and texts that several parts of the seed share. */
const DAY_MS = 86_400_000;

export const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** A text that is longer than any realistic one. */
export const LONG =
  'The value of Rate was no number: it came as the text “see mail of Tuesday”, and the workbook has none of its own. ';
