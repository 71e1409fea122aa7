/** What a cell of an input takes, and what is known of a text that is typed or pasted into it. */
import type { CellUsage } from '../contract/parameters.ts';
import type { FormCell } from './input-form.ts';
import type { DateCell } from './read-date.ts';

/** What the other texts of a pasted column tell of its marks: those of the region, others, or both. */
export type PastedMarks = 'own' | 'other' | 'mixed';

export interface CellKind extends DateCell {
  usage: CellUsage;
  /** Characters of a text; null where nothing is said. */
  maxSize: number | null;
  /** Whether a Number of more than 15 digits is kept as a text, with all of them. */
  isExact?: boolean;
  /** Whether a person types or pastes, whose `region` counts, and who is asked what is meant where it does not decide. */
  canAsk?: boolean;
  /** Of what a person types, and neither pastes nor sends. */
  isTyped?: boolean;
  /** What the cell held before: the text in which it is shown means the same again. */
  held?: FormCell;
  /** What the other numbers pasted with it tell of their marks. */
  pastedMarks?: PastedMarks;
}
