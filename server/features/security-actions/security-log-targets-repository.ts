import type { Db } from '#server/db/dialect/types.ts';

/** Returns the id of the last action sent to a target; 0 for a new target. */
export async function findLastSent(db: Db, Target: string): Promise<number> {
  const row = await db('SecurityLogTargets').where({ Target }).first('LastId');
  return row?.LastId ?? 0;
}

/** Must be called in a transaction that holds the forwarding lock. */
export async function storeLastSent(db: Db, Target: string, LastId: number): Promise<void> {
  const changed = await db('SecurityLogTargets').where({ Target }).update({ LastId });
  if (changed === 0) await db('SecurityLogTargets').insert({ Target, LastId });
}
