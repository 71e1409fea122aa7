import type { Db } from '#server/db/dialect/types.ts';

/**
 * Returns the first log message of each run: the first warning or error, or for runs that were not run, the first
 * message of any kind.
 */
export async function listFirstProblems(
  db: Db,
  runIds: readonly number[],
  notRunIds: readonly number[],
): Promise<Map<number, string>> {
  if (runIds.length + notRunIds.length === 0) return new Map();
  const first = db('RunLogEntries')
    .where((either) => {
      void either.where((run) => void run.whereIn('ActivityRunId', runIds).where('Category', '>', 1));
      void either.orWhereIn('ActivityRunId', notRunIds);
    })
    .groupBy('ActivityRunId')
    .min('Id');
  const rows = await db('RunLogEntries').whereIn('Id', first).select('ActivityRunId', 'Message');
  return new Map(rows.map(({ ActivityRunId, Message }) => [ActivityRunId, Message]));
}
