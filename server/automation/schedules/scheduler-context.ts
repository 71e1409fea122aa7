/** Dependencies of all kinds of schedules. */
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { Log } from '#server/base/log.ts';
import type { WorkflowScheduleStarter } from './workflow-schedule-starter.ts';
import type { ScheduleStarter } from './scheduled-runs.ts';

export interface SchedulerContext {
  database: Database;
  starter: ScheduleStarter;
  workflowStarter: WorkflowScheduleStarter;
  /** Time zone of the times of day. */
  timeZone: string;
  log: Log;
  /** Returns the current time: the time of the database, unless a test changes it. */
  clock: (db: Db) => Promise<Date>;
}
