import { createTogether } from '#server/base/together.ts';
import type { Db } from './dialect/types.ts';

const MOST_TOGETHER = 16;

/**
 * Reads rows by a key: those that are asked for at the same time in one statement, which begins after each of them was asked for. In a
 * transaction each is read by itself.
 * @param find the rows that have one of the keys
 */
export function readTogether<Key, Row extends object>(
  find: (db: Db, keys: readonly Key[]) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
): (db: Db, key: Key) => Promise<Row | undefined> {
  const readers = new WeakMap<Db, (key: Key) => Promise<Row | undefined>>();

  async function many(db: Db, keys: readonly Key[]): Promise<(Row | undefined)[]> {
    const found = new Map((await find(db, [...new Set(keys)])).map((row) => [keyOf(row), row]));
    // Each caller's own: none may change another's.
    return keys.map((key) => {
      const row = found.get(key);
      return row && { ...row };
    });
  }

  const alone = async (db: Db, key: Key): Promise<Row | undefined> => (await many(db, [key]))[0];

  function createReader(db: Db): (key: Key) => Promise<Row | undefined> {
    const reader = createTogether<Key, Row | undefined>({
      many: (keys) => many(db, keys),
      alone: (key) => alone(db, key),
      isUncertain: () => false,
      most: MOST_TOGETHER,
    });
    readers.set(db, reader);
    return reader;
  }

  return (db, key) => (db.isTransaction ? alone(db, key) : (readers.get(db) ?? createReader(db))(key));
}
