/**
 * Plain descriptions of security actions. They are shown beside the technical names in the log, which other systems
 * read.
 */
import { SECURITY_ACTIONS, type SecurityActionType } from '#shared/contract/security.ts';
import { compareNames } from '#renderer/language/numbers.ts';
import { t } from '#renderer/language/translate.ts';

const TEXTS: Record<SecurityActionType, string> = {
  CreateRole: t('Role created'),
  DeleteRole: t('Role deleted'),
  EnableRole: t('Role enabled'),
  DisableRole: t('Role disabled'),
  IncludeUser: t('User included in a role'),
  ExcludeUser: t('User excluded from a role'),
  EnableUser: t('User enabled'),
  DisableUser: t('User disabled'),
  DeleteUser: t('User deleted'),
  GrantRight: t('Right granted'),
  DenyRight: t('Right denied'),
  DeleteRight: t('Grant of a right deleted'),
  GrantInternetAccess: t('Internet access granted'),
  DenyInternetAccess: t('Internet access denied'),
  DeleteInternetAccess: t('Grant of internet access deleted'),
  CreateUser: t('User created'),
  UpdateUser: t('User changed'),
  MakeAdministrator: t('Made an administrator'),
  RevokeAdministrator: t('No longer an administrator'),
  SetPassword: t('Password set for a user'),
  ChangePassword: t('Own password changed'),
  CreateApiKey: t('API key created'),
  DeleteApiKey: t('API key deleted'),
  RotateApiKey: t('API key replaced'),
  CreateRight: t('Right created'),
  UpdateRight: t('Right description changed'),
  RenewLicense: t('License renewed'),
  SendPasswordLink: t('Password link sent'),
  ShowPasswordLink: t('Password link shown'),
  ResetPassword: t('Password reset by a link'),
  TurnOnSecondFactor: t('Second factor turned on'),
  TurnOffSecondFactor: t('Second factor turned off'),
  RemoveSecondFactor: t('Second factor of a user removed'),
  RequireSecondFactor: t('Second factor required'),
  WaiveSecondFactor: t('Second factor no longer required'),
  DisableInputDownload: t('Download of inputs forbidden'),
  EnableInputDownload: t('Download of inputs allowed'),
  MakeRecoveryCodes: t('Recovery codes created'),
  UseRecoveryCode: t('Recovery code used'),
  LogOutEverywhere: t('Logged out everywhere'),
  EndSession: t('Session ended'),
  EndOtherSessions: t('Other sessions ended'),
  ApproveStep: t('Step approved'),
  RejectStep: t('Step rejected'),
  SetOfflineReading: t('Offline reading changed'),
  BeginMaintenance: t('Maintenance started'),
  EndMaintenance: t('Maintenance ended'),
  DrainServer: t('Server drained'),
  EndServerDrain: t('Server accepts runs again'),
  CreateWebhook: t('Webhook created'),
  UpdateWebhook: t('Webhook changed'),
  DeleteWebhook: t('Webhook deleted'),
  RotateWebhookSecret: t('Secret of a webhook replaced'),
  UpdateAlerts: t('Alerts changed'),
  ShareDashboard: t('Dashboard shared'),
  PublishDashboard: t('Dashboard published'),
  UnpublishDashboard: t('Dashboard no longer public'),
  DeleteDashboard: t('Dashboard deleted'),
  SetStartPage: t('Start page set for a role'),
  SaveSchedule: t('Schedule saved'),
  DeleteSchedule: t('Schedule deleted'),
  PauseSchedule: t('Schedule paused'),
  ResumeSchedule: t('Schedule resumed'),
  SaveTrigger: t('Trigger saved'),
  DeleteTrigger: t('Trigger deleted'),
  PauseTrigger: t('Trigger paused'),
  ResumeTrigger: t('Trigger resumed'),
  RotateTriggerSecret: t('Secret of a trigger replaced'),
  SaveHolidayCalendar: t('Holiday calendar saved'),
  DeleteHolidayCalendar: t('Holiday calendar deleted'),
  CreateSchema: t('Schema created'),
  RenameSchema: t('Schema renamed'),
  DeleteSchema: t('Schema deleted'),
  SetQueueing: t('Queue settings changed'),
  DeclineAccess: t('Request for access declined'),
  SeeAs: t('Portal viewed as a user'),
  LimitPublicLink: t('Limits of a public link set'),
  EvaluateActivity: t('Activity evaluated without a run'),
  RequireTestCases: t('Test cases required for publishing'),
  WaiveTestCases: t('Test cases no longer required for publishing'),
};

export const isSecurityAction = (text: string): text is SecurityActionType => Object.hasOwn(TEXTS, text);

/** A newer server may have logged actions that are unknown here. */
export const actionText = (action: string): string => (isSecurityAction(action) ? TEXTS[action] : action);

/** Sorted by their descriptions. */
export const actionOptions = (): { value: string; label: string }[] =>
  SECURITY_ACTIONS.map((value) => ({ value, label: TEXTS[value] })).toSorted((a, b) => compareNames(a.label, b.label));
