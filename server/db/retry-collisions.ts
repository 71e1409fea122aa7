import { setTimeout as pause } from 'node:timers/promises';

const ATTEMPTS = 5;
const MIN_WAIT_MS = 10;

/**
 * Runs `work` again if it failed because it collided with other work in the database, at most five times in all. `work`
 * must leave nothing behind from a failed attempt. Throws the error of the last attempt.
 */
export async function retryCollisions<T>(work: () => Promise<T>, isCollision: (error: unknown) => boolean): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !isCollision(error)) throw error;
      // A random delay, so the same statements do not collide again.
      await pause(MIN_WAIT_MS * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}
