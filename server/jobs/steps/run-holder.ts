import type { Holder } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';

/** Whose rights count for a run: those of the person who started it, as they are now. Undefined where there is none any more. */
export async function runHolder(
  { knex }: Database,
  runId: number,
  findHolder: (userId: number) => Promise<Holder | undefined>,
): Promise<Holder | undefined> {
  const row = (await knex('ActivityRuns').where('Id', runId).first('UserId')) as { UserId: number } | undefined;
  return row && findHolder(row.UserId);
}
