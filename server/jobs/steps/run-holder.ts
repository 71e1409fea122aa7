import type { Holder } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';

/**
 * Whose rights count for a run: those of the person who started it, as they are now, or what the internet was granted where a visitor did.
 * Undefined where there is nobody any more.
 */
export async function runHolder(
  { knex }: Database,
  runId: number,
  findHolder: (userId: number) => Promise<Holder | undefined>,
): Promise<Holder | undefined> {
  const row = (await knex('ActivityRuns').where('Id', runId).first('UserId', 'PublicTokenHash')) as
    | { UserId: number; PublicTokenHash: string | null }
    | undefined;
  if (!row) return undefined;
  const { UserId, PublicTokenHash } = row;
  return PublicTokenHash === null
    ? findHolder(UserId)
    : { UserId, IsUserAdmin: false, fromInternet: true, isVisitor: true };
}
