/** What the parts need that look for events and start what triggers are for. */
import type { Log } from '#server/base/log.ts';
import type { Holder } from '#server/base/person.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { StaticFolders } from '#server/folders/static-folders.ts';
import type { ChainScheduleStarter } from '#server/jobs/schedules/chain-schedule-starter.ts';
import type { ScheduleStarter } from '#server/jobs/schedules/scheduled-runs.ts';
import type { Knex } from 'knex';

/** A run whose end a trigger waits for. */
export interface EndedRun {
  ActivityId: number | null;
  ChecklistId: number | null;
  /** Who started it. */
  UserId: number;
}

export interface TriggerContext {
  database: Database;
  log: Log;
  starter: ScheduleStarter;
  chainStarter: ChainScheduleStarter;
  folders: StaticFolders;
  fileStore: FileStore;
  connections: ConnectionAccess;
  /** The person as they are now; undefined where they cannot sign in any more. */
  findHolder: (userId: number) => Promise<Holder | undefined>;
  /** Whether a person may see a run. */
  maySee: (db: Db, holder: Holder, run: EndedRun) => Promise<boolean>;
  /** Why a file of that name must not have that content; null where it may. */
  contentIssue: (fileName: string, head: Uint8Array) => string | null;
  /** Gives a transaction and the span of time in which runs have ended that were not looked at yet, to one server at a time. */
  sinceLastLook: (work: (trx: Knex.Transaction, span: { since: Date; now: Date }) => Promise<void>) => Promise<void>;
}

/** What is there for others to go on with. */
export interface Begun {
  /** Whether a worker has something to do. */
  isQueued: boolean;
  /** Runs of checklists. */
  begun: number[];
}
