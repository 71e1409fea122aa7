/** Dependencies of the parts of the portal. */
import type { Log } from '#server/base/log.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import type { Database } from '#server/db/database.ts';
import type { Executor } from '#server/executors/executor.ts';
import type { StepCapabilities } from '#server/executors/step-services.ts';
import type { EvaluateLimits } from '#server/features/evaluate/evaluate-service.ts';
import type { LiveDeps } from '#server/features/live/live-service.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type { UsersService } from '#server/features/users/users-service.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { StaticFolders } from '#server/folders/static-folders.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';

export interface PortalDeps {
  database: Database;
  fileStore: FileStore;
  executor: Executor;
  connections: ConnectionAccess;
  signals: RunSignals;
  rights: RightsService;
  /** See LiveDeps. */
  recheck: LiveDeps['recheck'];
  users: UsersService;
  folders: StaticFolders;
  timeZone: string;
  /** Encrypts secrets in the database. */
  secretKey: string;
  log: Log;
  /** Capabilities of the server for steps, apart from connections. */
  capabilities: Pick<StepCapabilities, 'mail' | 'pdf'>;
  /** False if only people who manage rights may share activities. */
  editorsMayShare: boolean;
  evaluateLimits: EvaluateLimits;
  /** Returns true if the license currently allows runs. */
  isLicensed: () => Promise<boolean>;
}

export interface PortalRoutesOptions {
  fileStore: FileStore;
  maxUploadBytes: number;
  limits: { publicCalls: number; publicStarts: number };
}
