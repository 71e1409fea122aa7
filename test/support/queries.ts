/**
 * Collects the queries of one piece of work only. Workers, schedules and purges of the same server send queries at the
 * same time.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Knex } from 'knex';

/** A session's last use is noted every half minute, whatever the work is. */
const NOTES_USE = /^update .(?:Sessions|ApiKeys). set .LastUsedTime./;

const collector = new AsyncLocalStorage<string[]>();

export async function queriesOf<T>(knex: Knex, work: () => Promise<T>): Promise<{ answer: T; queries: string[] }> {
  const queries: string[] = [];
  const collect = ({ sql }: { sql: string }): void => {
    if (collector.getStore() === queries && !NOTES_USE.test(sql)) queries.push(sql);
  };
  knex.on('query', collect);
  try {
    return { answer: await collector.run(queries, work), queries };
  } finally {
    knex.off('query', collect);
  }
}
