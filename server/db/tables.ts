/**
 * The rows of all tables, as Knex returns them from both databases. Generated from the migrations by `npm run schema`;
 * types narrower than their column are in test/support/schema/narrow-columns.ts.
 */

import type { ActivityType } from '#shared/contract/activities.ts';
import type { HolidayRule, MissedRule, OccurrenceOutcome, OverlapRule } from '#shared/contract/additional-schedules.ts';
import type { AlertScope } from '#shared/contract/alert-rule-scopes.ts';
import type { AlertKind } from '#shared/contract/alerts.ts';
import type { ApprovalOutcome } from '#shared/contract/approvals.ts';
import type { AssistantScope } from '#shared/contract/assistants.ts';
import type { Language, RegionId } from '#shared/contract/auth.ts';
import type { Priority } from '#shared/contract/queueing.ts';
import type { RunStatus } from '#shared/contract/run-status.ts';
import type { SecurityActionType } from '#shared/contract/security.ts';
import type { TriggerOutcome, TriggerPlan } from '#shared/contract/triggers.ts';
import type { KeyScope } from '#shared/contract/users.ts';
import type { DeliveryStatus } from '#shared/contract/webhooks.ts';
import type { NotRunReason, StepKind } from '#shared/rules/workflows/types.ts';

export interface AccessNoticesRow {
  Id: number;
  UserId: number;
  Kind: string;
  ActivityId: number;
  ActivityRunId: number | null;
  ByName: string;
  Message: string;
  CreateTime: Date;
}

export interface AccessRequestsRow {
  Id: number;
  UserId: number;
  ObjectKind: string;
  ObjectId: number;
  ActivityId: number | null;
  Message: string;
  Status: string;
  CreateTime: Date;
  DecideTime: Date | null;
}

export interface AccessTokensRow {
  TokenHash: string;
  SessionId: string;
  ExpiryTime: Date;
  ReplacedTime: Date | null;
}

export interface ActivitiesRow {
  Id: number;
  Name: string;
  NameKey: string;
  Type: ActivityType;
  Description: string;
  SingleRun: boolean;
  IsActive: boolean;
  Schema: string;
  Group: string;
  Function: string;
  Order: number | null;
  MemoryCost: number;
  DisplayInfo: string;
  Version: number;
  Revision: number;
  Modified: Date;
  ProcedureName: string | null;
  Pool: string;
  Priority: Priority;
  RunsAtOnce: number;
  ForAssistants: boolean;
}

export interface ActivityFavouritesRow {
  UserId: number;
  ActivityId: number;
}

export interface ActivityLinksRow {
  Id: number;
  Name: string;
  ActivityId: number;
  LinkedActivityId: number;
  LinkInfo: string;
}

export interface ActivityParametersRow {
  Id: number;
  ActivityId: number;
  Direction: 'input' | 'output';
  Name: string;
  NameKey: string;
  PresetValue: string | null;
}

export interface ActivityRetentionsRow {
  ActivityId: number;
  RunRetention: number | null;
  RunDataRetention: number | null;
  RunInputsRetention: number | null;
}

export interface ActivityRunsRow {
  Id: number;
  ActivityId: number;
  ActivityVersion: number;
  Status: RunStatus;
  UserId: number;
  UniqueId: string | null;
  RetryOf: number | null;
  MemoryCost: number;
  SingleRun: boolean;
  QueueTime: Date;
  PickupTime: Date | null;
  StartTime: Date | null;
  EndTime: Date | null;
  CancelTime: Date | null;
  WorkerId: string | null;
  LeaseUntil: Date | null;
  Fence: number;
  Phase: string;
  Share: number | null;
  InputsPurgedTime: Date | null;
  OutputsPurgedTime: Date | null;
  ActivityLinkId: number | null;
  SourceRunId: number | null;
  PublicTokenHash: string | null;
  TurnOwner: string;
  Turn: number;
  ChecklistRunId: number | null;
  StepKey: string | null;
  RowKey: string;
  Attempt: number;
  ParentRunId: number | null;
  WaitsForSteps: boolean;
  NotRunBecause: NotRunReason | null;
  RowIndex: number | null;
  DurationMs: number | null;
  Pool: string;
  RunsAtOnce: number;
  TraceParent: string | null;
  ClientName: string | null;
}

export interface ActivitySchedulesRow {
  ActivityId: number;
  UserId: number;
  ScheduleType: string;
  TimeOfDay: number;
  RetryCount: number;
  RetryInterval: number;
  TimeZone: string;
  NextTime: Date;
  PausedTime: Date | null;
}

export interface ActivityVersionsRow {
  ActivityId: number;
  Version: number;
  FileId: string | null;
  ContentLength: number;
  ChangeDescription: string;
  Modified: Date;
  UserId: number;
  Definition: string;
  Fidelity: string | null;
  FidelitySummary: string | null;
}

export interface AddInCodesRow {
  CodeHash: string;
  SessionId: string;
  Challenge: string;
  ClientKind: string;
  ExpiryTime: Date;
}

export interface AlertFiringsRow {
  Id: number;
  AlertId: number;
  Subject: string;
  Time: Date;
  ActivityRunId: number | null;
  ChecklistRunId: number | null;
  Message: string;
  Category: number;
  IsTest: boolean;
  SeenTime: Date | null;
  SeenBy: number | null;
  EscalateTime: Date | null;
  ActivityId: number | null;
  ChecklistId: number | null;
}

export interface AlertMutesRow {
  AlertId: number;
  UserId: number;
  Until: Date | null;
}

export interface AlertNoticesRow {
  Id: number;
  AlertFiringId: number;
  UserId: number;
  ByBell: boolean;
  VisibleTime: Date;
  DismissedTime: Date | null;
  MailTime: Date | null;
  MailedTime: Date | null;
}

export interface AlertsRow {
  Id: number;
  ActivityId: number | null;
  ChecklistId: number | null;
  Name: string;
  Kind: AlertKind;
  Condition: string;
  Receivers: string;
  NextReceivers: string;
  EscalateMinutes: number | null;
  EncryptedWebhooks: string;
  IsActive: boolean;
  UserId: number;
  NextTime: Date | null;
  CreateTime: Date;
  CalendarId: number | null;
  Scope: AlertScope | null;
  ScopeValue: string | null;
}

export interface ApiKeysRow {
  KeyId: string;
  UserId: number;
  KeyHash: string;
  Name: string;
  CreationTime: Date;
  ExpiryTime: Date | null;
  LastUsedTime: Date | null;
  Scope: KeyScope;
  ActivityIds: string | null;
  AssistantWrites: boolean;
}

export interface ApprovalDecisionsRow {
  ApprovalId: number;
  UserId: number;
  Approved: boolean;
  Comment: string;
  Time: Date;
}

export interface ApprovalFilesRow {
  ApprovalId: number;
  Position: number;
  ArrayIndex: number;
  FileId: string;
  FileName: string;
  ContentLength: number;
}

export interface ApprovalMailsRow {
  Id: number;
  ApprovalId: number;
  UserId: number;
  Kind: 'Begun' | 'Reminder' | 'Ended';
  DueTime: Date;
  Attempts: number;
  TakenTime: Date | null;
}

export interface ApprovalRolesRow {
  ApprovalId: number;
  RoleName: string;
}

export interface ApprovalStartersRow {
  ApprovalId: number;
  UserId: number;
}

export interface ApprovalUsersRow {
  ApprovalId: number;
  UserId: number;
}

export interface ApprovalValuesRow {
  ApprovalId: number;
  Position: number;
  Name: string;
  Info: string;
  Value: string | null;
}

export interface ApprovalsRow {
  Id: number;
  ChecklistRunId: number;
  StepKey: string;
  Name: string;
  Text: string;
  Needed: number;
  OnExpiry: 'Fail' | 'Approve';
  Status: ApprovalOutcome;
  StarterId: number;
  StarterMayApprove: boolean;
  StartTime: Date;
  ExpiryTime: Date | null;
  RemindTime: Date | null;
  RemindedTime: Date | null;
  EndTime: Date | null;
  DismissedTime: Date | null;
}

export interface AssistantClientsRow {
  ClientId: string;
  Name: string;
  RedirectUris: string;
  CreatedTime: Date;
  LastUsedTime: Date;
}

export interface AssistantCodesRow {
  CodeHash: string;
  ClientId: string;
  UserId: number;
  RedirectUri: string;
  Challenge: string;
  Scope: AssistantScope;
  Address: string;
  ExpiryTime: Date;
  SessionId: string | null;
}

export interface AssistantGrantsRow {
  SessionId: string;
  ClientId: string;
  ClientName: string;
  Scope: AssistantScope;
}

export interface AssistantTokensRow {
  TokenHash: string;
  SessionId: string;
  IsRefresh: boolean;
  ExpiryTime: Date;
  ReplacedTime: Date | null;
}

export interface BatchesRow {
  Id: number;
  ActivityId: number;
  ActivityVersion: number;
  UserId: number;
  Time: Date;
  FileName: string;
  RowCount: number;
  BadCount: number;
  Content: string;
  RunId: number | null;
}

export interface ChecklistActivitiesRow {
  ChecklistId: number;
  Position: number;
  ActivityId: number;
}

export interface ChecklistFavouritesRow {
  UserId: number;
  ChecklistId: number;
}

export interface ChecklistInputsRow {
  ChecklistId: number;
  ActivityParameterId: number;
  InputName: string;
  Order: number;
}

export interface ChecklistKeptRunsRow {
  ChecklistRunId: number;
  StepKey: string;
  RowKey: string;
  ActivityRunId: number;
  RowIndex: number | null;
}

export interface ChecklistPlansRow {
  Id: number;
  Hash: string;
  Plan: string;
}

export interface ChecklistRetentionsRow {
  ChecklistId: number;
  RunRetention: number;
}

export interface ChecklistRunDismissalsRow {
  ChecklistRunId: number;
  UserId: number;
  Time: Date;
}

export interface ChecklistRunLogEntriesRow {
  Id: number;
  ChecklistRunId: number;
  StepKey: string | null;
  Time: Date;
  StatusCode: number;
  Category: number;
  Message: string;
}

export interface ChecklistRunStepsRow {
  ChecklistRunId: number;
  StepKey: string;
  Kind: StepKind;
  Status: RunStatus;
  NotRunBecause: NotRunReason | null;
  Holds: boolean | null;
  StartTime: Date | null;
  EndTime: Date | null;
  KeptOf: number | null;
}

export interface ChecklistRunsRow {
  Id: number;
  ChecklistId: number;
  WorkflowVersion: number | null;
  PlanId: number;
  UserId: number;
  UniqueId: string | null;
  Status: RunStatus;
  QueueTime: Date;
  EndTime: Date | null;
  CancelTime: Date | null;
  ResumeOf: number | null;
  Inputs: string;
  PurgeTime: Date | null;
  IsLeftOut: boolean;
  NotStartedTime: Date | null;
}

export interface ChecklistSchedulesRow {
  ChecklistId: number;
  UserId: number;
  ScheduleType: string;
  TimeOfDay: number;
  RetryCount: number;
  RetryInterval: number;
  TimeZone: string;
  NextTime: Date;
  PausedTime: Date | null;
}

export interface ChecklistsRow {
  Id: number;
  Name: string;
  Description: string;
  Schema: string;
  Group: string;
  Order: number | null;
  UserId: number;
  UniqueId: string | null;
  Revision: number;
  WorkflowVersion: number | null;
  Modified: Date;
}

export interface CreationKeysRow {
  UserId: number;
  UniqueId: string;
  RecordTable: string;
  RecordId: number;
  ContentHash: string;
  CreateTime: Date;
}

export interface DashboardSharesRow {
  Id: number;
  DashboardId: number;
  RoleName: string | null;
  UserId: number | null;
  CanEdit: boolean;
}

export interface DashboardsRow {
  Id: number;
  Name: string;
  NameKey: string;
  UserId: number;
  Tiles: string;
  Revision: number;
  ModifiedTime: Date;
  PublicTokenHash: string | null;
  PublicUserId: number | null;
  PublicTime: Date | null;
  PublicExpiryTime: Date | null;
}

export interface DeliveriesRow {
  Id: number;
  DeliveryKey: string;
  Channel: 'Webhook' | 'Teams' | 'Slack' | 'Mail';
  Event: string;
  SubjectId: number | null;
  WebhookId: number | null;
  AlertFiringId: number | null;
  UserId: number | null;
  EncryptedTarget: string | null;
  TargetKey: string;
  Body: string;
  Status: DeliveryStatus;
  Attempts: number;
  CreateTime: Date;
  DueTime: Date;
  TakenUntil: Date | null;
  EndTime: Date | null;
}

export interface DeliveryAttemptsRow {
  Id: number;
  DeliveryId: number;
  Time: Date;
  Milliseconds: number;
  StatusCode: number | null;
  Error: string | null;
  Answer: string;
}

export interface DownloadTokensRow {
  TokenHash: string;
  FileId: string;
  ExpiryTime: Date;
  UserId: number | null;
}

export interface EditsRow {
  RecordTable: string;
  RecordKey: string;
  Revision: number;
  UserId: number | null;
  Time: Date;
}

export interface EventCursorsRow {
  Name: string;
  Time: Date;
}

export interface FailedAttemptsRow {
  KeyHash: string;
  Failures: number;
  LastTime: Date;
}

export interface GrantsRow {
  Id: number;
  RightName: string;
  KeyColumnName: string;
  KeyColumnValue: string;
  GranteeKind: 'user' | 'role' | 'internet';
  Grantee: string;
  Access: number;
}

export interface HolidayCalendarsRow {
  Id: number;
  Name: string;
  Weekend: string;
}

export interface HolidaysRow {
  CalendarId: number;
  Day: string;
  Name: string;
}

export interface InputSetsRow {
  Id: number;
  ActivityId: number;
  UserId: number;
  Name: string;
  IsShared: boolean;
  ModifiedTime: Date;
  Inputs: string;
}

export interface NotificationDismissalsRow {
  ActivityRunId: number;
  LogEntryId: number;
  Time: Date;
}

export interface NotificationReadsRow {
  ActivityRunId: number;
  Time: Date;
}

export interface NotificationSettingsRow {
  UserId: number;
  QuietFrom: number | null;
  QuietUntil: number | null;
  SummaryAt: number | null;
  TimeZone: string;
  SummaryNext: Date | null;
  Choices: string | null;
}

export interface OwnTableViewsRow {
  Id: number;
  TableViewId: number;
  UserId: number;
  Name: string;
  NameKey: string;
  Choice: string;
}

export interface PasswordKeysRow {
  KeyId: string;
  UserNameKey: string;
  PrivateKey: string;
  ExpiryTime: Date;
}

export interface PasswordLinksRow {
  TokenHash: string;
  UserId: number;
  ExpiryTime: Date;
}

export interface PublicLinksRow {
  ActivityId: number;
  ExpiryTime: Date | null;
  MaxRuns: number | null;
  RunCount: number;
  CreateTime: Date;
}

export interface RecoveryCodesRow {
  CodeHash: string;
  UserId: number;
}

export interface RefusedVersionsRow {
  Id: number;
  ActivityId: number;
  UserId: number;
  Time: Date;
  FileId: string;
  Fields: string;
  Report: string;
}

export interface RightsRow {
  Name: string;
  Description: string;
}

export interface RoleUsersRow {
  RoleName: string;
  UserId: number;
}

export interface RolesRow {
  Name: string;
  IsActive: boolean;
}

export interface RunInputsRow {
  Id: number;
  ActivityRunId: number;
  ActivityParameterId: number;
  ArrayIndex: number;
  Value: string | null;
  Rows: number | null;
  UseDefault: boolean;
  HasPresetValue: boolean;
  FileId: string | null;
  FileName: string | null;
  ContentLength: number | null;
  SearchText: string | null;
  SearchNumber: number | null;
}

export interface RunLogEntriesRow {
  Id: number;
  ActivityRunId: number;
  Time: Date;
  StatusCode: number;
  Category: number;
  Message: string;
  PromptKey: string | null;
}

export interface RunOutputsRow {
  Id: number;
  ActivityRunId: number;
  ActivityParameterId: number | null;
  ArrayIndex: number;
  Value: string | null;
  Rows: number | null;
  FileId: string | null;
  FileName: string | null;
  ContentLength: number | null;
  SearchText: string | null;
  SearchNumber: number | null;
}

export interface RunPromptsRow {
  PromptKey: string;
  ActivityRunId: number;
  Type: 'Text' | 'Masked';
  ExpiryTime: Date;
  PublicKey: string;
  EncryptedAnswer: string | null;
  AnswerTime: Date | null;
  AnswerUserId: number | null;
  ClosedTime: Date | null;
}

export interface RunStartsRow {
  ParentRunId: number;
  StepKey: string;
  StepName: string;
  ActivityId: number;
  ActivityVersion: number;
  UserId: number;
  RootRunId: number;
  RowCount: number;
  Rows: string | null;
  AtOnce: number;
  StopAfterFailures: number | null;
  EndTime: Date | null;
}

export interface SavedSearchesRow {
  Id: number;
  UserId: number;
  ActivityId: number | null;
  Name: string;
  Search: string;
}

export interface ScheduledChecklistRunsRow {
  ChecklistRunId: number;
  ChecklistId: number;
  UserId: number;
  SlotTime: Date;
  Attempt: number;
  RetryCount: number;
  RetryInterval: number;
  SettledTime: Date | null;
  TimetableId: number | null;
}

export interface ScheduledRunsRow {
  ActivityRunId: number;
  ActivityId: number;
  UserId: number;
  SlotTime: Date;
  Attempt: number;
  RetryCount: number;
  RetryInterval: number;
  SettledTime: Date | null;
  TimetableId: number | null;
}

export interface SchemasRow {
  Name: string;
  DisplayName: string;
  Order: number;
}

export interface SecurityActionsRow {
  Id: number;
  Time: Date;
  UserId: number;
  UserName: string;
  UserFullName: string;
  Action: SecurityActionType;
  TargetUserName: string;
  TargetRole: string;
  RightName: string;
  KeyColumnName: string;
  KeyColumnValue: string;
  Address: string;
  PreviousHash: string;
  Hash: string;
}

export interface SecurityLogTargetsRow {
  Target: string;
  LastId: number;
}

export interface ServersRow {
  ServerId: string;
  Name: string;
  Version: string;
  Role: string;
  StartedTime: Date;
  LastTime: Date;
  IsDraining: boolean;
  Threads: number;
  BusyThreads: number;
  MemoryMb: number;
  Processors: number;
  Pools: string;
  IsDrainAsked: boolean;
  Runs: number;
}

export interface SessionsRow {
  SessionId: string;
  UserId: number;
  CreatedTime: Date;
  LastUsedTime: Date;
  EndedTime: Date | null;
  Address: string;
  Client: string;
}

export interface SettingsRow {
  Name: string;
  Value: string;
}

export interface SsoRequestsRow {
  StateHash: string;
  Provider: string;
  BindingHash: string;
  Proof: string;
  Path: string;
  ExpiryTime: Date;
}

export interface SsoSessionsRow {
  SessionId: string;
  Provider: string;
  SubjectHash: string;
  IndexHash: string;
  Encrypted: string;
  SsoExpiry: Date | null;
}

export interface SsoTestsRow {
  TokenHash: string;
  BindingHash: string;
  UserId: number;
  Report: string;
  ExpiryTime: Date;
}

export interface SsoTicketsRow {
  OttHash: string;
  BindingHash: string;
  UserId: number;
  Provider: string;
  SubjectHash: string;
  IndexHash: string;
  Encrypted: string;
  SsoExpiry: Date | null;
  ExpiryTime: Date;
}

export interface StartPagesRow {
  Id: number;
  RoleName: string | null;
  UserId: number | null;
  DashboardId: number;
}

export interface StoredFilesRow {
  FileId: string;
  StoreKey: string;
  FileName: string;
  ContentLength: number;
  Sha256: string;
  Purpose: 'upload' | 'version' | 'output' | 'download' | 'design';
  UserId: number | null;
  ActivityParameterId: number | null;
  CreatedTime: Date;
  UsedTime: Date | null;
  BaseFileId: string | null;
  Delta: string | null;
}

export interface SucceededDismissalsRow {
  UserId: number;
  ActivityId: number;
  ActivityRunId: number;
}

export interface TableViewsRow {
  Id: number;
  ConnectionName: string;
  TableName: string;
  ViewName: string;
  ViewInfo: string;
}

export interface TestBedsRow {
  ActivityId: number;
  MustPass: boolean;
  Checks: string;
}

export interface TestCasesRow {
  Id: number;
  ActivityId: number;
  Name: string;
  UserId: number;
  Status: string;
  Inputs: string;
  Expected: string;
  ModifiedTime: Date;
  Result: string | null;
  ResultTime: Date | null;
}

export interface TimetableSlotsRow {
  TimetableId: number;
  SlotTime: Date;
  Outcome: OccurrenceOutcome;
  Message: string;
  RunId: number | null;
}

export interface TimetablesRow {
  Id: number;
  ActivityId: number | null;
  ChecklistId: number | null;
  Name: string;
  UserId: number;
  PlanText: string;
  InputsText: string;
  TimeZone: string;
  CalendarId: number | null;
  HolidayRule: HolidayRule;
  RetryCount: number;
  RetryInterval: number;
  Overlap: OverlapRule;
  Missed: MissedRule;
  MissedMax: number;
  NextTime: Date;
  IsWaiting: boolean;
  PausedTime: Date | null;
  PausedReason: string | null;
}

export interface TriggerEventsRow {
  Id: number;
  TriggerId: number;
  Subject: string;
  Time: Date;
  Outcome: TriggerOutcome;
  Message: string;
  GivenText: string;
  FileName: string | null;
  Sha256: string | null;
  Depth: number;
  ActivityRunId: number | null;
  ChecklistRunId: number | null;
}

export interface TriggerFilesRow {
  TriggerId: number;
  FileKey: string;
  Sha256: string;
  Size: number;
  Modified: number;
}

export interface TriggersRow {
  Id: number;
  ActivityId: number | null;
  ChecklistId: number | null;
  Name: string;
  UserId: number;
  Kind: TriggerPlan['Kind'];
  PlanText: string;
  InputsText: string;
  TimeZone: string;
  Overlap: OverlapRule;
  SourceActivityId: number | null;
  SourceChecklistId: number | null;
  AddressKey: string | null;
  EncryptedSecret: string | null;
  NextTime: Date | null;
  StateText: string | null;
  LookMessage: string | null;
  SinceTime: Date;
  Revision: number;
  PausedTime: Date | null;
  PausedReason: string | null;
}

export interface UsedAssertionsRow {
  AssertionHash: string;
  ExpiryTime: Date;
}

export interface UserSourcesRow {
  SourceKey: string;
  UserId: number;
  SourceName: string;
  SourceUserName: string;
  SourceInfo: string;
}

export interface UsersRow {
  UserId: number;
  UserName: string;
  UserNameKey: string;
  Source: 'Local' | 'AD' | 'SSO';
  FirstName: string;
  MiddleName: string;
  LastName: string;
  Email: string;
  PasswordHash: string | null;
  MustChangePassword: boolean;
  Enabled: boolean;
  IsUserAdmin: boolean;
  CreatedTime: Date;
  LastLoginTime: Date | null;
  LastFailedLoginTime: Date | null;
  FailedLogins: number;
  DeletedTime: Date | null;
  SecondFactorRequired: boolean;
  SecondFactorOn: boolean;
  SecondFactorKey: string | null;
  SecondFactorStep: number;
  DisableInputDownload: boolean;
  Language: Language | null;
  Region: RegionId | null;
}

export interface WebhookActivitiesRow {
  WebhookId: number;
  ActivityId: number;
}

export interface WebhooksRow {
  Id: number;
  Name: string;
  Url: string;
  OnRunEnded: boolean;
  OnVersionPublished: boolean;
  OnApprovalAsked: boolean;
  IsActive: boolean;
  EncryptedSecret: string;
  EncryptedOldSecret: string | null;
  OldSecretUntil: Date | null;
  CreateTime: Date;
}

export interface WorkbookDesignPartsRow {
  DesignId: number;
  Sheet: number;
  Part: number;
  FileId: string;
}

export interface WorkbookDesignsRow {
  Id: number;
  UserId: number;
  ActivityId: number | null;
  SchemaName: string;
  FileId: string;
  Overview: string;
  Marks: string;
  Revision: number;
  ModifiedTime: Date;
}

export interface WorkflowVersionsRow {
  ChecklistId: number;
  Version: number;
  Graph: string;
  ChangeDescription: string;
  Modified: Date;
  UserId: number;
}

/** The row types by table. */
export interface TableRows {
  AccessNotices: AccessNoticesRow;
  AccessRequests: AccessRequestsRow;
  AccessTokens: AccessTokensRow;
  Activities: ActivitiesRow;
  ActivityFavourites: ActivityFavouritesRow;
  ActivityLinks: ActivityLinksRow;
  ActivityParameters: ActivityParametersRow;
  ActivityRetentions: ActivityRetentionsRow;
  ActivityRuns: ActivityRunsRow;
  ActivitySchedules: ActivitySchedulesRow;
  ActivityVersions: ActivityVersionsRow;
  AddInCodes: AddInCodesRow;
  AlertFirings: AlertFiringsRow;
  AlertMutes: AlertMutesRow;
  AlertNotices: AlertNoticesRow;
  Alerts: AlertsRow;
  ApiKeys: ApiKeysRow;
  ApprovalDecisions: ApprovalDecisionsRow;
  ApprovalFiles: ApprovalFilesRow;
  ApprovalMails: ApprovalMailsRow;
  ApprovalRoles: ApprovalRolesRow;
  ApprovalStarters: ApprovalStartersRow;
  ApprovalUsers: ApprovalUsersRow;
  ApprovalValues: ApprovalValuesRow;
  Approvals: ApprovalsRow;
  AssistantClients: AssistantClientsRow;
  AssistantCodes: AssistantCodesRow;
  AssistantGrants: AssistantGrantsRow;
  AssistantTokens: AssistantTokensRow;
  Batches: BatchesRow;
  ChecklistActivities: ChecklistActivitiesRow;
  ChecklistFavourites: ChecklistFavouritesRow;
  ChecklistInputs: ChecklistInputsRow;
  ChecklistKeptRuns: ChecklistKeptRunsRow;
  ChecklistPlans: ChecklistPlansRow;
  ChecklistRetentions: ChecklistRetentionsRow;
  ChecklistRunDismissals: ChecklistRunDismissalsRow;
  ChecklistRunLogEntries: ChecklistRunLogEntriesRow;
  ChecklistRunSteps: ChecklistRunStepsRow;
  ChecklistRuns: ChecklistRunsRow;
  ChecklistSchedules: ChecklistSchedulesRow;
  Checklists: ChecklistsRow;
  CreationKeys: CreationKeysRow;
  DashboardShares: DashboardSharesRow;
  Dashboards: DashboardsRow;
  Deliveries: DeliveriesRow;
  DeliveryAttempts: DeliveryAttemptsRow;
  DownloadTokens: DownloadTokensRow;
  Edits: EditsRow;
  EventCursors: EventCursorsRow;
  FailedAttempts: FailedAttemptsRow;
  Grants: GrantsRow;
  HolidayCalendars: HolidayCalendarsRow;
  Holidays: HolidaysRow;
  InputSets: InputSetsRow;
  NotificationDismissals: NotificationDismissalsRow;
  NotificationReads: NotificationReadsRow;
  NotificationSettings: NotificationSettingsRow;
  OwnTableViews: OwnTableViewsRow;
  PasswordKeys: PasswordKeysRow;
  PasswordLinks: PasswordLinksRow;
  PublicLinks: PublicLinksRow;
  RecoveryCodes: RecoveryCodesRow;
  RefusedVersions: RefusedVersionsRow;
  Rights: RightsRow;
  RoleUsers: RoleUsersRow;
  Roles: RolesRow;
  RunInputs: RunInputsRow;
  RunLogEntries: RunLogEntriesRow;
  RunOutputs: RunOutputsRow;
  RunPrompts: RunPromptsRow;
  RunStarts: RunStartsRow;
  SavedSearches: SavedSearchesRow;
  ScheduledChecklistRuns: ScheduledChecklistRunsRow;
  ScheduledRuns: ScheduledRunsRow;
  Schemas: SchemasRow;
  SecurityActions: SecurityActionsRow;
  SecurityLogTargets: SecurityLogTargetsRow;
  Servers: ServersRow;
  Sessions: SessionsRow;
  Settings: SettingsRow;
  SsoRequests: SsoRequestsRow;
  SsoSessions: SsoSessionsRow;
  SsoTests: SsoTestsRow;
  SsoTickets: SsoTicketsRow;
  StartPages: StartPagesRow;
  StoredFiles: StoredFilesRow;
  SucceededDismissals: SucceededDismissalsRow;
  TableViews: TableViewsRow;
  TestBeds: TestBedsRow;
  TestCases: TestCasesRow;
  TimetableSlots: TimetableSlotsRow;
  Timetables: TimetablesRow;
  TriggerEvents: TriggerEventsRow;
  TriggerFiles: TriggerFilesRow;
  Triggers: TriggersRow;
  UsedAssertions: UsedAssertionsRow;
  UserSources: UserSourcesRow;
  Users: UsersRow;
  WebhookActivities: WebhookActivitiesRow;
  Webhooks: WebhooksRow;
  WorkbookDesignParts: WorkbookDesignPartsRow;
  WorkbookDesigns: WorkbookDesignsRow;
  WorkflowVersions: WorkflowVersionsRow;
}
