import { setTimeout as pause } from 'node:timers/promises';

/** A server that speaks SQL Server's protocol takes some milliseconds more a statement, and workers there look for runs by themselves. */
const isOnSqlServer = process.env['RUNSHEET_TEST_DATABASE_URL']?.startsWith('mssql:') === true;

/** A time limit in milliseconds, as it is on the database of the tests. */
export const onItsDatabase = (timeLimit: number): number => (isOnSqlServer ? 4 * timeLimit : timeLimit);

/** Waits until a condition holds and answers what it answered; fails after the time limit. */
export async function until<T>(
  what: string,
  condition: () => T | undefined | false | null | Promise<T | undefined | false | null>,
  timeLimit = onItsDatabase(30_000),
): Promise<T> {
  const end = performance.now() + timeLimit;
  for (;;) {
    const answer = await condition();
    if (answer) return answer;
    if (performance.now() > end) throw new Error(`waited ${timeLimit} ms in vain for: ${what}`);
    await pause(10);
  }
}
