/** What the form of an activity needs to know about the design on its page. */
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';

export interface DesignStatus {
  /** True if the workbook has marks or steps. */
  isMarked: boolean;
  /** True if changes are not on the server yet. */
  isUnsaved: boolean;
  /** True if the last attempt to save changes failed. */
  hasSaveFailed: boolean;
  /** Number of marks of the last version whose position the author must choose. */
  undecided: number;
  /** Saves pending changes. Resolves with null if they cannot be saved. */
  flush: () => Promise<InspectedWorkbook | null>;
}
