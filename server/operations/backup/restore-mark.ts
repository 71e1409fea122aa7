/**
 * Marks a database while it is being restored, until all its rows are there: no server may start on an incomplete
 * database.
 */
import { StartError } from '#server/base/start-error.ts';
import type { Database } from '#server/db/database.ts';

const NAME = 'RestoreUnderWay';

/** Returns the id of the backup whose restore has not finished; undefined if there is none. */
export async function findRestoreMark({ knex }: Pick<Database, 'knex'>): Promise<string | undefined> {
  const row = await knex('Settings').where({ Name: NAME }).first('Value');
  return row?.Value;
}

export async function setRestoreMark({ knex, dialect }: Database, id: string): Promise<void> {
  await dialect.upsert(knex, {
    table: 'Settings',
    rows: [{ Name: NAME, Value: id }],
    key: ['Name'],
    update: ['Value'],
  });
}

export async function clearRestoreMark({ knex }: Database): Promise<void> {
  await knex('Settings').where({ Name: NAME }).delete();
}

export async function refuseHalfRestored(database: Pick<Database, 'knex'>): Promise<void> {
  if ((await findRestoreMark(database)) === undefined) return;
  throw new StartError(
    'a restore of a backup into this database did not finish: run it again, or start with an empty database',
  );
}
