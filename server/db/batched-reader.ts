import type { Knex } from 'knex';
import { createBatcher } from '#server/background/batcher.ts';
import type { Db } from './dialect/types.ts';
import { prepared } from './prepared.ts';

const MAX_BATCH_SIZE = 16;

/**
 * Reads rows by key. Keys requested at about the same time are read in one statement that begins after each request.
 * Within a transaction, each key is read separately.
 * @param find returns the query for rows with any of the keys; it must bind nothing else that varies, and name its
 * columns
 */
export function createBatchedReader<Key extends string | number, Row extends object>(
  find: (db: Db, keys: readonly Key[]) => Knex.QueryBuilder,
  keyOf: (row: Row) => Key,
): (db: Db, key: Key) => Promise<Row | undefined> {
  const readers = new WeakMap<Db, (key: Key) => Promise<Row | undefined>>();

  function createReader(db: Db): (key: Key) => Promise<Row | undefined> {
    const read = createStatements<Key, Row>(db, find);
    const many = async (keys: readonly Key[]): Promise<(Row | undefined)[]> => {
      const found = new Map((await read([...new Set(keys)])).map((row) => [keyOf(row), row]));
      // A copy for each caller, so none can change another's.
      return keys.map((key) => {
        const row = found.get(key);
        return row && { ...row };
      });
    };
    const alone = async (key: Key): Promise<Row | undefined> => (await many([key]))[0];
    const reader = createBatcher({ many, alone, isUncertain: () => false, maxBatchSize: MAX_BATCH_SIZE });
    readers.set(db, reader);
    return reader;
  }

  return async (db, key) => {
    if (!db.isTransaction) return (readers.get(db) ?? createReader(db))(key);
    return ((await find(db, [key])) as Row[])[0];
  };
}

/** Builds the statement text once per number of keys, because building it takes longer than sending it. */
function createStatements<Key extends string | number, Row>(
  db: Db,
  find: (db: Db, keys: readonly Key[]) => Knex.QueryBuilder,
): (keys: readonly Key[]) => Promise<Row[]> {
  const statements = new Map<number, { sql: string; bindings: readonly unknown[] }>();
  const placeOf = (at: number): string => `key ${at}`;
  return async (keys) => {
    const known = statements.get(keys.length) ?? find(db, keys.map((_, at) => placeOf(at)) as never).toSQL();
    statements.set(keys.length, known);
    const values = new Map(keys.map((key, at) => [placeOf(at), key]));
    const bindings = known.bindings.map((bound) => values.get(bound as string) ?? bound);
    const answer = (await prepared(db.raw(known.sql, bindings as Knex.RawBinding[]))) as Row[] | { rows: Row[] };
    return Array.isArray(answer) ? answer : answer.rows;
  };
}
