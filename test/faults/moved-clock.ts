/**
 * Moves the time of a database. All that servers decide by time they decide by the database's, so that they need no clock of their
 * own for tests: a function of the same name stands before PostgreSQL's in the search path of every connection made from then on.
 */
import type { Knex } from 'knex';

export interface MovedClock {
  now(): Promise<Date>;
  /** From then on it goes on as time does. */
  moveTo(moment: Date): Promise<void>;
}

/** Source: statement_timestamp() is what the dialect for PostgreSQL asks for the time. */
export async function moveClockOf(knex: Knex): Promise<MovedClock> {
  await knex.raw('create schema moved');
  await knex.raw(`create table moved.clock as select interval '0' as shift`);
  await knex.raw(`create function moved.statement_timestamp() returns timestamptz stable language sql as
    'select pg_catalog.statement_timestamp() + (select shift from moved.clock)'`);
  const { rows } = (await knex.raw('select current_database() as name')) as { rows: { name: string }[] };
  // public stays the first: new tables go there.
  await knex.raw('alter database ?? set search_path = public, moved, pg_catalog', [rows[0]!.name]);
  return {
    now: async () => {
      const answer = (await knex.raw('select moved.statement_timestamp() as now')) as { rows: { now: Date }[] };
      return answer.rows[0]!.now;
    },
    moveTo: async (moment) => {
      await knex.raw('update moved.clock set shift = ?::timestamptz - pg_catalog.statement_timestamp()', [moment]);
    },
  };
}
