/**
 * Servers of the previous version are active while migrations run. Migrations must therefore only add, or wait until no
 * server is active.
 */
import { expect, test } from 'vitest';
import { listFiles, readText } from './source-files.ts';

/** Changes, in Knex or SQL, that break a server which does not know of them. */
const TAKES_AWAY =
  /\.(renameColumn|renameTable|dropColumns?|dropTable|dropTableIfExists|dropView|dropUnique|dropPrimary|alter|dropNullable)\(|\b(drop|rename) (column|table|view|function|constraint)\b|\balter column\b|\bset not null\b/i;

/** Migrations from before the marker was introduced; server/db/migrate-beside-servers.ts names those that need it. */
const LANDED_BEFORE = 77;

const up = (text: string): string => /export async function up[\s\S]*?\n}/.exec(text)?.[0] ?? text;

test('a migration that takes away or renames what servers of the version before read waits until none is at work', () => {
  const files = listFiles('migrations', /\.ts$/).filter((path) => Number(/(\d{4})-/.exec(path)?.[1]) > LANDED_BEFORE);
  const unmarked = files.filter((path) => {
    const text = readText(path);
    return TAKES_AWAY.test(up(text)) && !text.includes('export const needsStandstill = true');
  });
  expect(unmarked).toEqual([]);
  expect(TAKES_AWAY.test(up(readText('migrations/0052-encrypted-columns.ts')))).toBe(true);
  expect(TAKES_AWAY.test(up(readText('migrations/0077-run-traces.ts')))).toBe(false);
});

test('a column that a migration adds to a table of before needs no value of servers that do not know it', () => {
  const files = listFiles('migrations', /\.ts$/).filter((path) => Number(/(\d{4})-/.exec(path)?.[1]) > LANDED_BEFORE);
  const demanding = files.filter((path) => {
    const altered = [...up(readText(path)).matchAll(/alterTable\([\s\S]*?\n {2}\}\)/g)].map(([part]) => part);
    return altered.some((part) =>
      part.split(';').some((line) => line.includes('.notNullable()') && !line.includes('.defaultTo(')),
    );
  });
  expect(demanding).toEqual([]);
});
