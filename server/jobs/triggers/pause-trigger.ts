import type { Db } from '#server/db/dialect/types.ts';

const REASON_LENGTH = 400;

/** Until somebody who may edit saves it, as whom it starts then. */
export async function pauseTrigger(db: Db, Id: number, reason: string, PausedTime: Date): Promise<void> {
  await db('Triggers')
    .where({ Id })
    .whereNull('PausedTime')
    .update({ PausedTime, PausedReason: reason.slice(0, REASON_LENGTH) })
    .increment('Revision', 1);
}

/** Why nothing can be seen at present; null where all is well. */
export async function setLookMessage(db: Db, Id: number, message: string | null): Promise<void> {
  await db('Triggers')
    .where({ Id })
    .update({ LookMessage: message?.slice(0, REASON_LENGTH) ?? null });
}
