import type { Db } from '#server/db/dialect/types.ts';

const REASON_LENGTH = 400;

/** Pauses the trigger until an editor saves it; it then starts runs as that editor. */
export async function pauseTrigger(db: Db, Id: number, reason: string, PausedTime: Date): Promise<void> {
  await db('Triggers')
    .where({ Id })
    .whereNull('PausedTime')
    .update({ PausedTime, PausedReason: reason.slice(0, REASON_LENGTH) })
    .increment('Revision', 1);
}

/** Stores why polling for events currently fails; null if it works. */
export async function setPollMessage(db: Db, Id: number, message: string | null): Promise<void> {
  await db('Triggers')
    .where({ Id })
    .update({ LookMessage: message?.slice(0, REASON_LENGTH) ?? null });
}
