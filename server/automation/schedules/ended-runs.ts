/** Goes through scheduled runs that have ended and are not settled, a page at a time. */

/**
 * Runs that wait for their retry stay in the list, for up to a day. All pages are therefore read at each poll: if only
 * the first one were, a page of waiting runs would block all others.
 */
const PAGE = 1000;

interface EndedRuns<Row> {
  /** Lists at most `limit` runs with a higher id, in ascending order. */
  list: (after: number, limit: number) => Promise<Row[]>;
  idOf: (row: Row) => number;
  isStopping: () => boolean;
  handle: (row: Row) => Promise<void>;
}

export async function forEachEnded<Row>({ list, idOf, isStopping, handle }: EndedRuns<Row>): Promise<void> {
  for (let after = 0; ;) {
    const rows = await list(after, PAGE);
    for (const row of rows) {
      if (isStopping()) return;
      await handle(row);
    }
    if (rows.length < PAGE) return;
    after = idOf(rows.at(-1)!);
  }
}

/** @param run its RetryInterval is in minutes */
export const isRetryDue = (run: { EndTime: Date; RetryInterval: number }, now: Date): boolean =>
  run.EndTime.getTime() + run.RetryInterval * 60_000 <= now.getTime();
