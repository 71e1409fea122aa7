/** Ended runs with files and values, the calls that purge them, and what is left. */
import { newFileId } from '#server/files/stored-files.ts';
import type { TestApp } from './app.ts';
import { insertRun } from './runs.ts';
import type { signedInUser } from './users.ts';

export type Signed = Awaited<ReturnType<typeof signedInUser>>;

/** The variables of a test file; each test has its own activity. */
interface PurgeFile {
  app: TestApp;
  /** Makes the calls, unless a call names another user. */
  purger: Signed;
  /** Owns the runs. */
  runner: Signed;
  ActivityId: number;
}

const DAY = 86_400_000;
export const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY);
export const dayOf = (days: number): string => daysAgo(days).toISOString().slice(0, 10);

/** `current` returns the variables as they are during the call, because hooks set them later. */
export function createPurgeBench(current: () => PurgeFile) {
  const call = async (url: string, { headers }: Signed, more: { method?: 'POST'; payload?: object } = {}) => {
    const answer = await current().app.http.inject({ url: `/api/activities/${url}`, headers, ...more });
    return { status: answer.statusCode, body: answer.json() };
  };
  const get = (url: string, user = current().purger) => call(url, user);
  const post = (url: string, payload?: object, user = current().purger) => call(url, user, { method: 'POST', payload });

  async function addFile(content: string, Purpose: string): Promise<{ FileId: string; StoreKey: string }> {
    const { app } = current();
    const { key, contentLength, sha256 } = await app.fileStore.put(Buffer.from(content));
    const FileId = newFileId();
    const row = { FileId, StoreKey: key, FileName: 'a.csv', ContentLength: contentLength, Sha256: sha256, Purpose };
    await app.database.knex('StoredFiles').insert(row);
    return { FileId, StoreKey: key };
  }

  /** Adds an ended run from some days ago, with an input file of 5 bytes, an output file of 6, and values of 2 and 3. */
  async function addRun(days: number, more: Record<string, unknown> = {}) {
    const { app, runner, ActivityId } = current();
    const { knex } = app.database;
    const time = daysAgo(days);
    const run = { ActivityId, UserId: runner.UserId, Status: 'Failed', QueueTime: time, EndTime: time, ...more };
    const Id = await insertRun(knex, run);
    const input = await addFile('input', 'upload');
    const output = await addFile('output', 'output');
    const file = (of: { FileId: string }, ContentLength: number) => ({
      ActivityRunId: Id,
      ActivityParameterId: 2,
      FileId: of.FileId,
      FileName: 'a.csv',
      ContentLength,
    });
    await knex('RunInputs').insert([{ ActivityRunId: Id, ActivityParameterId: 1, Value: '12' }]);
    await knex('RunInputs').insert([file(input, 5)]);
    await knex('RunOutputs').insert([{ ActivityRunId: Id, ActivityParameterId: 3, Value: '"é"' }]);
    await knex('RunOutputs').insert([file(output, 6)]);
    return { Id, input, output };
  }

  const count = async (table: string, where: object): Promise<number> =>
    (await current().app.database.knex(table).where(where)).length;
  const isStored = ({ StoreKey }: { StoreKey: string }): Promise<boolean> => current().app.files.exists(StoreKey);

  /** Returns the rows of a list that are of the current activity. */
  const ownRows = async (url: string, user?: Signed) =>
    (await get(url, user)).body.result.filter((row: { ActivityId: number }) => row.ActivityId === current().ActivityId);
  const sizes = (days: number, user?: Signed) => ownRows(`rundatasize/${dayOf(days)}`, user);
  const listed = (days: number, user?: Signed) => ownRows(`purgeable/${dayOf(days)}`, user);

  return { get, post, addFile, addRun, count, isStored, sizes, listed };
}
