/** How a claim sees the queue. */
import type { Knex } from 'knex';

/** Conditions of a claim that concern runs other than the candidate. */
export interface QueueView {
  readonly knex: Knex;
  whereServed(query: Knex.QueryBuilder): Knex.QueryBuilder;
  /** Excludes runs that a limit currently holds back. */
  whereAllowed(query: Knex.QueryBuilder): Knex.QueryBuilder;
  /**
   * Restricts the query to runs without a limit that come before the first allowed run with a limit. @param memory
   * maximum memory cost of that limited run; null for any
   */
  whereNoLimitedBefore(query: Knex.QueryBuilder, memory: number | null): void;
}
