/** Looks at what has happened since the last look. Of any number of servers one looks at a time. */
import type { Knex } from 'knex';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';

/** From `since` on, with what was looked at before among it, up to `now`. */
export interface EventSpan {
  since: Date;
  now: Date;
}

/** A change becomes visible when its transaction ends, which may be so much later than the time that stands in it. */
const OVERLAP_MS = 60_000;

/** @param work finds out by itself what it has seen before. What it writes counts only if it ends well. */
export async function sinceCursor(
  { knex, dialect }: Pick<Database, 'knex' | 'dialect'>,
  Name: string,
  work: (trx: Knex.Transaction, span: EventSpan) => Promise<void>,
): Promise<void> {
  await inTransaction(knex, async (trx) => {
    if (!(await dialect.tryLock(trx, `runsheet.events.${Name}`))) return;
    const { Now } = (await trx.select({ Now: dialect.now(trx) }).first()) as { Now: Date };
    const row = (await trx('EventCursors').where({ Name }).first('Time')) as { Time: Date } | undefined;
    if (!row) {
      await trx('EventCursors').insert({ Name, Time: Now });
      return;
    }
    await work(trx, { since: new Date(row.Time.getTime() - OVERLAP_MS), now: Now });
    await trx('EventCursors').where({ Name }).update({ Time: Now });
  });
}
