/** What a cell of an input accepts, and the context in which a text is typed or pasted into it. */
import type { CellUsage } from '../contract/parameters.ts';
import type { FormCell } from './input-form.ts';
import type { DateCell } from './read-date.ts';

/** Which separators the other numbers of a pasted column use: those of the region, other ones, or both. */
export type PastedMarks = 'own' | 'other' | 'mixed';

export interface CellKind extends DateCell {
  usage: CellUsage;
  /** Maximum number of characters of a text; null if unspecified. */
  maxSize: number | null;
  /** True if a Number with more than 15 digits is stored as a text, with all its digits. */
  isExact?: boolean;
  /** True if a user types or pastes. Then `region` is the user's, and the user is asked if a text is ambiguous. */
  canAsk?: boolean;
  /** True only for text that a user types, not for pasted or submitted text. */
  isTyped?: boolean;
  /** Previous value of the cell: if the region's own reading of a text yields this value, the user is not asked. */
  held?: FormCell;
  /** Separators of the other numbers pasted with it. */
  pastedMarks?: PastedMarks;
}
