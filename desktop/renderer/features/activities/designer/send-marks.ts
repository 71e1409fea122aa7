/** Sends the marks of a design, and tells changes of other windows from saves whose response was lost. */
import type { Design, Mark } from '#shared/contract/designs.ts';
import type { InspectedWorkbook } from '#shared/contract/workbook-inspection.ts';
import { AppFailure } from '#renderer/api/app-failure.ts';

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
 * Saves marks. A revision conflict is ignored if this window has sent the stored marks: either the response to that save
 * was lost, or another window has opened the design and saved it unchanged. The marks are then sent again.
 */
export function createMarkSender(
  design: Pick<Design, 'Marks'>,
  { save, read }: MarkCalls,
): (revision: number, marks: Marks) => Promise<SavedMarks> {
  /** The marks saved last, and those sent since without a response: the server may have stored any of them. */
  const own = new Set([textOf(design.Marks)]);
  const send = async (revision: number, marks: Marks): Promise<SavedMarks> => {
    try {
      return await save(revision, marks);
    } catch (error) {
      if (!isConflict(error)) own.add(textOf(marks));
      throw error;
    }
  };
  return async (revision, marks) => {
    const saved = await send(revision, marks).catch(async (error: unknown) => {
      if (!isConflict(error)) throw error;
      const now = await read();
      if (!own.has(textOf(now.Marks))) throw error;
      return send(now.Revision, marks);
    });
    own.clear();
    own.add(textOf(marks));
    return saved;
  };
}

const isConflict = (error: unknown): boolean => error instanceof AppFailure && error.status === 409;

/** Equal marks give equal texts. The server returns their options in another order than the one in which it got them. */
const textOf = (marks: Marks): string =>
  JSON.stringify(
    marks.map(({ Role, Name, Sheet, Range, Options, Table }) => [
      [Role, Name, Sheet, Range, Table],
      Object.entries(Options).sort(([a], [b]) => (a < b ? -1 : 1)),
    ]),
  );
