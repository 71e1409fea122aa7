/** What a claim sees of the queue. */
import type { Knex } from 'knex';

/** What a claim looks at besides the run itself. */
export interface QueueView {
  readonly knex: Knex;
  whereServed(query: Knex.QueryBuilder): Knex.QueryBuilder;
  /** Without those that a limit keeps now. */
  whereAllowed(query: Knex.QueryBuilder): Knex.QueryBuilder;
  /** Those without a limit, as long as none that has one and is allowed comes before them. @param memory what these may cost; null for any */
  whereNoLimitedBefore(query: Knex.QueryBuilder, memory: number | null): void;
}
