/** Whether files can be stored and read, and how fast the database answers. */
import { randomBytes } from 'node:crypto';
import type { Finding } from '#shared/contract/setup.ts';
import { finding, reasonOf } from './finding.ts';
import type { SetupDeps } from './setup-deps.ts';
import { sampleStoreKeys } from './setup-repository.ts';

const SAMPLED_FILES = 100;

/** Stores, reads and deletes a small file, then looks for some of the stored ones. */
export async function checkFiles(
  { fileStore, database: { knex } }: SetupDeps,
  signal: AbortSignal,
): Promise<Finding[]> {
  try {
    await fileStore.check();
    const content = randomBytes(1024);
    const start = performance.now();
    const { key } = await fileStore.put(content, { signal });
    try {
      if (!(await fileStore.read(key)).equals(content)) throw new Error('the file differs from what was stored');
    } finally {
      await fileStore.delete(key);
    }
    const milliseconds = Math.round(performance.now() - start);
    let missing = 0;
    const keys = await sampleStoreKeys(knex, SAMPLED_FILES);
    for (const each of keys) {
      signal.throwIfAborted();
      if (!(await fileStore.has(each))) missing += 1;
    }
    const sampled = { missing, count: keys.length };
    return [finding('filesWork', { milliseconds }), ...(missing > 0 ? [finding('filesMissing', sampled)] : [])];
  } catch (error) {
    if (signal.aborted) throw error;
    return [finding('filesAway', { reason: reasonOf(error) })];
  }
}

const PINGS = 5;
/** A run makes dozens of statements: above this, people notice. */
const SLOW_MS = 50;

export async function checkDatabase({ database: { knex } }: SetupDeps): Promise<Finding[]> {
  const times: number[] = [];
  try {
    for (let count = 0; count < PINGS; count++) {
      const start = performance.now();
      await knex.raw('select 1');
      times.push(performance.now() - start);
    }
  } catch (error) {
    return [finding('databaseAway', { reason: reasonOf(error) })];
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(PINGS / 2)]!;
  const milliseconds = Number(median.toFixed(1));
  return [finding(milliseconds > SLOW_MS ? 'databaseSlow' : 'databaseFast', { milliseconds })];
}
