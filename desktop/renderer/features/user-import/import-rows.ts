import type { ImportOutcome, ImportedUser } from '#shared/contract/user-import.ts';

export interface ImportRow {
  user: ImportedUser;
  /** Null until the server has answered. */
  outcome: ImportOutcome | null;
  /** True if no answer arrived, so that the user may have been added or not. */
  isUncertain: boolean;
}

/** Returns whether the server has answered for every user of the list. */
export const isWhole = (rows: readonly ImportRow[]): boolean => rows.every(({ outcome }) => outcome !== null);

/**
 * Returns the text of the list for the next preview. It stays after an import that stopped before its end: the preview
 * recognizes those who were added, and offers the others again.
 */
export const textAfter = (rows: readonly ImportRow[], text: string): string => (isWhole(rows) ? '' : text);
