/** What the form of an activity has to know of the design on its page. */
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';

export interface DesignStatus {
  /** Something is marked, or done in steps. */
  isMarked: boolean;
  /** Changes that are not on the server yet. */
  isUnsaved: boolean;
  /** Marks of the last version whose place has to be chosen. */
  undecided: number;
  /** Saves what waits. Null where it cannot be saved. */
  flush: () => Promise<InspectedWorkbook | null>;
}
