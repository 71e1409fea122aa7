/** What all kinds of schedules need. */
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { Log } from '#server/base/log.ts';
import type { ChainScheduleStarter } from './chain-schedule-starter.ts';
import type { ScheduleStarter } from './scheduled-runs.ts';

export interface SchedulerContext {
  database: Database;
  starter: ScheduleStarter;
  chainStarter: ChainScheduleStarter;
  /** Of the times of day. */
  timeZone: string;
  log: Log;
  /** What time it is: the database's own time, unless a test moves it. */
  clock: (db: Db) => Promise<Date>;
}
