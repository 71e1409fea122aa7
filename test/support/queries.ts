/**
 * Collects the queries of one piece of work only. Workers, schedules and purges of the same server send queries at the
 * same time.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Knex } from 'knex';

const collector = new AsyncLocalStorage<string[]>();

export async function queriesOf<T>(knex: Knex, work: () => Promise<T>): Promise<{ answer: T; queries: string[] }> {
  const queries: string[] = [];
  const collect = ({ sql }: { sql: string }): void => {
    if (collector.getStore() === queries) queries.push(sql);
  };
  knex.on('query', collect);
  try {
    return { answer: await collector.run(queries, work), queries };
  } finally {
    knex.off('query', collect);
  }
}
