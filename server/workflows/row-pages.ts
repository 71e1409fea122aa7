/** Pages through the rows of a step: rows that did not succeed come first, then rows with warnings. */
import { ROWS_PAGE, type RowsCursor } from '#shared/contract/checklist-rows.ts';
import {
  hasSucceeded,
  isPending,
  PENDING_STATUSES,
  RUN_STATUSES,
  type RunStatus,
} from '#shared/contract/run-status.ts';

export const WRONG: readonly RunStatus[] = RUN_STATUSES.filter((status) => !isPending(status) && !hasSucceeded(status));

/** The groups of rows in listing order. */
const GROUPS: readonly { statuses: readonly RunStatus[]; waiting: readonly boolean[] }[] = [
  // Rows that were never queued still have WaitsForSteps set.
  { statuses: WRONG, waiting: [false, true] },
  { statuses: ['SucceededWarn'], waiting: [false] },
  { statuses: PENDING_STATUSES, waiting: [false] },
  { statuses: PENDING_STATUSES, waiting: [true] },
  { statuses: ['Succeeded'], waiting: [false] },
];

const FIRST: RowsCursor = { Group: 0, Id: 0 };

/** Which rows to read, in the order of their run ids. */
export interface RowsWanted {
  statuses: readonly RunStatus[];
  /** True for rows that wait to be released, false for all others. */
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
    // A run that changed its group between two reads is listed as in the later read.
    rows = rows.filter(({ row }) => !ids.has(row.Id));
    rows.push(...found.slice(0, limit).map((row) => ({ Group, row })));
  }
  const last = rows.length > ROWS_PAGE ? rows[ROWS_PAGE - 1]! : null;
  return {
    rows: rows.slice(0, ROWS_PAGE).map(({ row }) => row),
    Next: last && { Group: last.Group, Id: last.row.Id },
  };
}
