/** Dependencies for recording events and starting the runs of triggers. */
import type { Log } from '#server/base/log.ts';
import type { Holder } from '#server/base/person.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { StaticFolders } from '#server/folders/static-folders.ts';
import type { WorkflowScheduleStarter } from '#server/automation/schedules/workflow-schedule-starter.ts';
import type { ScheduleStarter } from '#server/automation/schedules/scheduled-runs.ts';
import type { Knex } from 'knex';

/** A run for whose end a trigger waits. */
export interface EndedRun {
  ActivityId: number | null;
  ChecklistId: number | null;
  /** The user who started it. */
  UserId: number;
}

export interface TriggerContext {
  database: Database;
  log: Log;
  starter: ScheduleStarter;
  workflowStarter: WorkflowScheduleStarter;
  folders: StaticFolders;
  fileStore: FileStore;
  connections: ConnectionAccess;
  /** Returns the person with their current rights; undefined if they can no longer sign in. */
  findHolder: (userId: number) => Promise<Holder | undefined>;
  /** Returns true if the person may see the run. */
  maySee: (db: Db, holder: Holder, run: EndedRun) => Promise<boolean>;
  /** Returns why a file with that name must not have that content; null if it may. */
  contentIssue: (fileName: string, head: Uint8Array) => string | null;
  /**
   * Calls `work` with a transaction and the time span whose run ends have not been examined yet, on one server at a
   * time.
   */
  sinceLastPoll: (work: (trx: Knex.Transaction, span: { since: Date; now: Date }) => Promise<void>) => Promise<void>;
}

/** What was started, for workers and workflows to continue with. */
export interface StartResult {
  /** True if a worker has something to do. */
  isQueued: boolean;
  /** Ids of started checklist runs. */
  startedRunIds: number[];
}
