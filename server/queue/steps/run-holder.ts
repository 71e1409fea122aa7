import type { Holder } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';

/**
 * Returns the person whose rights apply to a run: the person who started it, with their current rights. For a visitor,
 * these are the rights granted to the internet. Returns undefined if the run or the person no longer exists.
 */
export async function runHolder(
  { knex }: Database,
  runId: number,
  findHolder: (userId: number) => Promise<Holder | undefined>,
): Promise<Holder | undefined> {
  const row = await knex('ActivityRuns').where('Id', runId).first('UserId', 'PublicTokenHash');
  if (!row) return undefined;
  const { UserId, PublicTokenHash } = row;
  return PublicTokenHash === null
    ? findHolder(UserId)
    : { UserId, IsUserAdmin: false, fromInternet: true, isVisitor: true };
}
