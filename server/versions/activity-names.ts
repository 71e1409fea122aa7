import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';

/**
 * Runs `write`, which stores an activity. Throws an AppError 409 if another activity in the schema has the same name.
 */
export async function refusingTakenNames<T>({ dialect }: Database, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (dialect.classify(cause).fault !== 'unique') throw cause;
    const text = 'There is already an activity of this name in the schema';
    throw new AppError('activityNameTaken', 409, text, { modelState: { Name: [text] }, cause });
  }
}
