/**
 * Moves the time of a database. Servers make all time decisions with the database's time and therefore need no clock
 * for tests. A function of the same name precedes PostgreSQL's in the search path of all new connections.
 */
import type { Knex } from 'knex';

export interface MovedClock {
  now(): Promise<Date>;
  /** The time then continues normally. */
  moveTo(time: Date): Promise<void>;
}

/** Source: the PostgreSQL dialect reads the time with statement_timestamp(). */
export async function moveClockOf(knex: Knex): Promise<MovedClock> {
  await knex.raw('create schema moved');
  await knex.raw(`create table moved.clock as select interval '0' as shift`);
  await knex.raw(`create function moved.statement_timestamp() returns timestamptz stable language sql as
    'select pg_catalog.statement_timestamp() + (select shift from moved.clock)'`);
  const { rows } = (await knex.raw('select current_database() as name')) as { rows: { name: string }[] };
  // public stays first, because new tables are created there.
  await knex.raw('alter database ?? set search_path = public, moved, pg_catalog', [rows[0]!.name]);
  return {
    now: async () => {
      const answer = (await knex.raw('select moved.statement_timestamp() as now')) as { rows: { now: Date }[] };
      return answer.rows[0]!.now;
    },
    moveTo: async (time) => {
      await knex.raw('update moved.clock set shift = ?::timestamptz - pg_catalog.statement_timestamp()', [time]);
    },
  };
}
