/**
 * Removes files from the store that no row refers to. A file is stored before its row is inserted, and deleted after
 * its row. If a server is killed in between, an unreferenced file remains.
 */
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Database } from '#server/db/database.ts';
import type { FileStore, ListedFile } from '#server/files/file-store.ts';

/** Name of the row in Settings that records the progress of the sweep and when the last one ended. */
const STATE = 'FileStoreSweep';
/** Longer than any upload, or any run end that waits for its database, takes to insert the row of a file. */
const GRACE_MS = 24 * 3600 * 1000;
const INTERVAL_MS = 24 * 3600 * 1000;
const PAGE = 500;
/** If the database knows none of this many old files, they belong to another database. */
const FOREIGN = 50;
const FOREIGN_STORE =
  'the file store holds files of which this database knows none: it seems to belong to another one, and is left alone';

const SweepState = Type.Object({ after: Type.String(), ended: Type.Integer() });

interface State {
  text: string;
  /** The key up to which the store has been swept; '' before the first page. */
  after: string;
  /** Milliseconds since 1970, by database time; 0 if no sweep has ended yet. */
  ended: number;
}

/**
 * Sweeps the store page by page; one of the servers does so once a day. Returns the number of files that this server
 * removed. If it is aborted, any server can continue from the last page.
 */
export async function sweepFileStore(database: Database, store: FileStore, signal: AbortSignal): Promise<number> {
  const now = await databaseTime(database);
  const before = new Date(now - GRACE_MS);
  let state = await readState(database);
  if (state.after === '' && now - state.ended < INTERVAL_MS) return 0;
  let removed = state.after === '' ? await store.clearUnfinished(before) : 0;
  while (!signal.aborted) {
    const { files, next } = await store.list(state.after, PAGE);
    const old = files.filter(({ time }) => time < before);
    const orphans = await unknownOf(database, old);
    if (old.length >= FOREIGN && orphans.length === old.length) throw new Error(FOREIGN_STORE);
    for (const { key } of orphans) await store.delete(key);
    removed += orphans.length;
    const moved = await moveOn(database, state, next === null ? { after: '', ended: now } : { ...state, after: next });
    // Another server has taken over the sweep.
    if (moved === null) break;
    state = moved;
    if (next === null) break;
  }
  return removed;
}

async function databaseTime({ knex, dialect }: Database): Promise<number> {
  const row = await knex.select({ now: dialect.now(knex) }).first<{ now: Date }>();
  return new Date(row.now).getTime();
}

async function readState({ knex, dialect }: Database): Promise<State> {
  const text = JSON.stringify({ after: '', ended: 0 });
  await dialect.upsert(knex, { table: 'Settings', rows: [{ Name: STATE, Value: text }], key: ['Name'], update: [] });
  const row = await knex('Settings').where('Name', STATE).first<{ Value: string }>('Value');
  const state = Value.Parse(SweepState, JSON.parse(row.Value));
  return { text: row.Value, ...state };
}

/** Returns null if another server has changed the state since it was read. */
async function moveOn(
  { knex }: Database,
  { text }: State,
  { after, ended }: Pick<State, 'after' | 'ended'>,
): Promise<State | null> {
  const moved = { after, ended, text: JSON.stringify({ after, ended }) };
  const changed = await knex('Settings').where({ Name: STATE, Value: text }).update({ Value: moved.text });
  return changed === 0 ? null : moved;
}

async function unknownOf({ knex }: Database, files: readonly ListedFile[]): Promise<ListedFile[]> {
  if (files.length === 0) return [];
  const keys = files.map(({ key }) => key);
  const known = new Set(await knex('StoredFiles').whereIn('StoreKey', keys).pluck('StoreKey'));
  return files.filter(({ key }) => !known.has(key));
}
