/**
 * Tells Knex the columns of the tables, so `db('Activities')` checks columns and values, and returns typed rows. It
 * applies to the server alone: nothing imports this file, so tests read rows of any table without types, and migrations
 * use the columns of their time.
 */
import type { TableRows } from './tables.ts';

declare module 'knex/types/tables.js' {
  interface Tables extends TableRows {}
}

declare module 'knex/types/result.js' {
  interface Registry {
    /** Both drivers return bigint as number: see database.ts and mssql-client.ts. */
    Count: number;
  }
}
