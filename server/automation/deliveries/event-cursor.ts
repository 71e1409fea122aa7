/** Processes what has happened since the last poll. Of any number of servers, only one polls at a time. */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';

/** The time span from `since` to `now`. It overlaps with the previous span. */
export interface EventSpan {
  since: Date;
  now: Date;
}

/** A change becomes visible when its transaction ends, which may be this much later than the time stored in it. */
const OVERLAP_MS = 60_000;

/**
 * Selects a row if a run of the table has ended since the last poll of the alerts, or if there was no poll yet. Only
 * looks at the last end in the index: the database could otherwise read all runs to find that there is none.
 */
export function endedSinceLastPoll(
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
  table: 'ActivityRuns' | 'ChecklistRuns',
): Knex.QueryBuilder {
  const overlap = dialect.plusSeconds(knex, 'Time', -OVERLAP_MS / 1000);
  const since = knex('EventCursors').where('Name', 'alerts').select(overlap);
  const last = knex(table).whereNotNull('EndTime').orderBy('EndTime', 'desc').limit(1).select('EndTime');
  return knex.from(last.as('Last')).whereRaw('?? > coalesce((?), ?)', ['Last.EndTime', since, new Date(0)]);
}

/** @param work must recognize what it has already processed. Its changes are only committed if it succeeds. */
export async function sinceCursor(
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
  Name: string,
  work: (trx: Knex.Transaction, span: EventSpan) => Promise<void>,
): Promise<void> {
  await inTransaction(knex, async (trx) => {
    if (!(await dialect.tryLock(trx, `runsheet.events.${Name}`))) return;
    const { Now } = await trx.select({ Now: dialect.now(trx) }).first<{ Now: Date }>();
    const row = await trx('EventCursors').where({ Name }).first('Time');
    if (!row) {
      await trx('EventCursors').insert({ Name, Time: Now });
      return;
    }
    await work(trx, { since: new Date(row.Time.getTime() - OVERLAP_MS), now: Now });
    await trx('EventCursors').where({ Name }).update({ Time: Now });
  });
}
