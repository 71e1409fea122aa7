import type { Design, Mark } from '#shared/contract/designs.ts';
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import { createRevisionSender } from '#renderer/api/revision-sender.ts';

type Marks = readonly Mark[];

export interface SavedMarks {
  Revision: number;
  Found: InspectedWorkbook;
}

export interface MarkCalls {
  /** Rejects with an AppFailure 409 if the design has another revision. */
  save: (revision: number, marks: Marks) => Promise<SavedMarks>;
  read: () => Promise<Pick<Design, 'Revision' | 'Marks'>>;
}

/**
 * Saves marks; a lost response causes no conflict (see createRevisionSender). Marks that are stored already are sent
 * again, because a design does not contain what the server found in them.
 */
export function createMarkSender(
  design: Pick<Design, 'Marks'>,
  { save, read }: MarkCalls,
): (revision: number, marks: Marks) => Promise<SavedMarks> {
  return createRevisionSender(design.Marks as Marks, {
    save,
    read: async () => {
      const { Revision, Marks } = await read();
      return { revision: Revision, content: Marks };
    },
  });
}
