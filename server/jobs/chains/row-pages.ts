/** Rows of a step a page at a time: those first that did not succeed, then those with warnings. */
import { ROWS_PAGE, type RowsCursor } from '#shared/contract/checklist-rows.ts';
import {
  hasSucceeded,
  isPending,
  PENDING_STATUSES,
  RUN_STATUSES,
  type RunStatus,
} from '#shared/contract/run-status.ts';

export const WRONG: readonly RunStatus[] = RUN_STATUSES.filter((status) => !isPending(status) && !hasSucceeded(status));

/** In which order rows are listed. */
const GROUPS: readonly { statuses: readonly RunStatus[]; waiting: readonly boolean[] }[] = [
  // Rows that were never let into the queue keep their mark as waiting.
  { statuses: WRONG, waiting: [false, true] },
  { statuses: ['SucceededWarn'], waiting: [false] },
  { statuses: PENDING_STATUSES, waiting: [false] },
  { statuses: PENDING_STATUSES, waiting: [true] },
  { statuses: ['Succeeded'], waiting: [false] },
];

const FIRST: RowsCursor = { Group: 0, Id: 0 };

/** What of the rows is wanted, in the order of their runs. */
export interface RowsWanted {
  statuses: readonly RunStatus[];
  /** Only those that wait for their turn, or only others. */
  waiting: boolean;
  afterId: number;
  limit: number;
}

export async function readRowPage<Row extends { Id: number }>(
  list: (wanted: RowsWanted) => Promise<Row[]>,
  from: RowsCursor = FIRST,
): Promise<{ rows: Row[]; Next: RowsCursor | null }> {
  let rows: { Group: number; row: Row }[] = [];
  for (let Group = from.Group; Group < GROUPS.length && rows.length <= ROWS_PAGE; Group++) {
    const { statuses, waiting } = GROUPS[Group]!;
    const afterId = Group === from.Group ? from.Id : 0;
    const limit = ROWS_PAGE + 1 - rows.length;
    const parts = await Promise.all(waiting.map((one) => list({ statuses, waiting: one, afterId, limit })));
    const found = parts.flat().sort((a, b) => a.Id - b.Id);
    const ids = new Set(found.map(({ Id }) => Id));
    // A run that changed its group between two reads is listed as it was read last.
    rows = rows.filter(({ row }) => !ids.has(row.Id));
    rows.push(...found.slice(0, limit).map((row) => ({ Group, row })));
  }
  const last = rows.length > ROWS_PAGE ? rows[ROWS_PAGE - 1]! : null;
  return {
    rows: rows.slice(0, ROWS_PAGE).map(({ row }) => row),
    Next: last && { Group: last.Group, Id: last.row.Id },
  };
}
