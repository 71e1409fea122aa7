/** The parts below the features, which every module may use. */
import type { Log } from '#server/base/log.ts';
import type { Holder } from '#server/base/person.ts';
import type { ServerState } from '#server/base/server-state.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import type { ChecklistRunAccess } from '#server/access/checklist-run-access.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type { RunAccess } from '#server/access/run-access.ts';
import type { SharingAccess } from '#server/access/sharing-access.ts';
import type { FailedAttempts } from '#server/access/sign-in/failed-attempts.ts';
import type { NetworkPolicy } from '#server/access/sign-in/network-policy.ts';
import type { PasswordPolicy } from '#server/access/sign-in/password-policy.ts';
import type { SignInDelays } from '#server/access/sign-in/sign-in-delays.ts';
import type { Config } from '#server/config/config-schema.ts';
import type { SignInSources } from '#server/config/sign-in-sources.ts';
import type { ConnectionAccess } from '#server/connections/connection-access.ts';
import type { Database } from '#server/db/database.ts';
import type { Executor } from '#server/executors/executor.ts';
import type { StepCapabilities } from '#server/executors/step-services.ts';
import type { CodeAttempts } from '#server/features/second-factor/code-attempts.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { StaticFolders } from '#server/folders/static-folders.ts';
import type { MailSender } from '#server/mail/mail-sender.ts';
import type { RunSignals } from '#server/queue/run-signals.ts';
import type { BuildRows } from '#server/sheets/row-workbook-builder.ts';
import type { TableWorkbookBuilder } from '#server/sheets/table-workbook-builder.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';

/** Calls that one address may make per minute. A whole company may share one address. */
export interface CallLimits {
  calls: number;
  signIns: number;
  /** For all calls of visitors, and for their starts and uploads. */
  publicCalls: number;
  publicStarts: number;
}

export interface Core {
  config: Config;
  /** The server's time zone. */
  timeZone: string;
  /** The portal's address for people; null if it is not configured. */
  address: string | null;
  limits: CallLimits;
  maxUploadBytes: number;
  log: Log;
  state: ServerState;
  database: Database;
  fileStore: FileStore;
  /** Encrypts secrets in the database. */
  secretKey: string;
  executor: Executor;
  signals: RunSignals;
  mail: MailSender;
  folders: StaticFolders;
  workbooks: TableWorkbookBuilder;
  /** One for all features, because it limits how many threads build workbooks of rows at once. */
  buildRows: BuildRows;
  connections: ConnectionAccess;
  /** Names of all connections, regardless of rights. */
  connectionNames: readonly string[];
  /** Returns what steps of a workbook may use on behalf of this person. */
  capabilitiesFor(person: Holder): Promise<StepCapabilities>;
  versions: VersionCatalog;
  rights: RightsService;
  access: ActivityAccess;
  runAccess: RunAccess;
  checklistAccess: ChecklistAccess;
  checklistRunAccess: ChecklistRunAccess;
  sharingAccess: SharingAccess;
  /** Directories and identity providers. */
  sources: SignInSources;
  policy: PasswordPolicy;
  networkPolicy: NetworkPolicy;
  failures: FailedAttempts;
  delays: SignInDelays;
  /** By default, wrong codes are delayed; tests must not wait. */
  codeAttempts?: CodeAttempts;
}
