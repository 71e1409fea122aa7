/** The database behind a named connection. */
import type { Database } from '#server/db/database.ts';
import type { Log } from '#server/base/log.ts';

/** What the parts of a connection share. */
export interface ConnectionTarget {
  name: string;
  url: string;
  database: Database;
  timeZone: string;
  log?: Log | undefined;
  maxRows: number;
  timeLimit: number;
}
