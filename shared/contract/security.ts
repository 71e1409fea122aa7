/** Security matrix and security actions. Source: specification of security, sections 2, 3 and 7. */
import { Type, type Static } from 'typebox';
import { closed, get, needs, post, signedIn, Timestamp } from './endpoint.ts';

const Scope = {
  RightName: Type.String(),
  /** Empty for All. */
  KeyColumnName: Type.String(),
  KeyColumnValue: Type.String(),
  DisplayColumnName: Type.String(),
  DisplayColumnValue: Type.String(),
};

/**
 * One statement about a user's right. The user holds the right in a scope only if all statements for that scope grant
 * it.
 */
export const UserRight = closed({
  UserId: Type.Integer(),
  UserName: Type.String(),
  UserFullName: Type.String(),
  ...Scope,
  Access: Type.Boolean(),
  /** 'Explicit', or the name of the role that the statement comes from. */
  Source: Type.String(),
  /** The right that implies this one, or 'IsUserAdmin'; otherwise empty. */
  ImpliedBy: Type.String(),
});
export type UserRight = Static<typeof UserRight>;

export const RoleRight = closed({
  /** Name of the role. */
  Source: Type.String(),
  ...Scope,
  Access: Type.Boolean(),
  ImpliedBy: Type.String(),
});
export type RoleRight = Static<typeof RoleRight>;

export const InternetRight = closed({ ...Scope, Access: Type.Boolean(), Source: Type.String() });
export type InternetRight = Static<typeof InternetRight>;

export const userRightList = get('/api/rights/userRightList', {
  access: needs('sk.ViewSecurityMatrix'),
  summary: 'List the rights of all users, with the reasons',
  parts: { result: closed({ Items: Type.Array(UserRight) }) },
});

export const roleRightList = get('/api/rights/roleRightList', {
  access: signedIn,
  summary: 'List the rights of all roles; requires sk.ViewSecurityMatrix, or sk.ManageRoles for a single role',
  parts: {
    query: closed({ RoleName: Type.Optional(Type.String({ maxLength: 50 })) }),
    result: closed({ Items: Type.Array(RoleRight) }),
  },
});

export const internetRightList = get('/api/rights/internetRightList', {
  access: needs('sk.ViewSecurityMatrix'),
  summary: 'List the rights of the internet',
  parts: { result: closed({ Items: Type.Array(InternetRight) }) },
});

const Text = Type.String({ maxLength: 400 });
const Shown = { RightName: Text, KeyColumnName: Text, KeyColumnValue: Text, Access: Type.Boolean() };
const MAX_ROWS = 1_000_000;

/** The rows as displayed; `Souce` is the specification's spelling. */
const UserRightRow = closed({
  UserId: Type.Integer(),
  UserName: Text,
  UserFullName: Text,
  Souce: Type.Optional(Text),
  ...Shown,
});

export const downloadUserRights = post('/api/rights/userRightList/download', {
  access: needs('sk.ViewSecurityMatrix'),
  summary: 'Export rows of the user security matrix as a workbook; returns a file token',
  parts: { body: Type.Array(UserRightRow, { maxItems: MAX_ROWS }), result: Type.String() },
});

export const downloadInternetRights = post('/api/rights/internetRightList/download', {
  access: needs('sk.ViewSecurityMatrix'),
  summary: 'Export rows of the internet security matrix as a workbook; returns a file token',
  parts: { body: Type.Array(closed(Shown), { maxItems: MAX_ROWS }), result: Type.String() },
});

/**
 * The actions of the specification, and our own for what it does not cover: users, passwords and keys, custom rights,
 * the license, approvals of workflow steps, schemas, and evaluations, which leave no run.
 */
export const SECURITY_ACTIONS = [
  'CreateRole',
  'DeleteRole',
  'EnableRole',
  'DisableRole',
  'IncludeUser',
  'ExcludeUser',
  'EnableUser',
  'DisableUser',
  'DeleteUser',
  'GrantRight',
  'DenyRight',
  'DeleteRight',
  'GrantInternetAccess',
  'DenyInternetAccess',
  'DeleteInternetAccess',
  'CreateUser',
  'UpdateUser',
  'MakeAdministrator',
  'RevokeAdministrator',
  'SetPassword',
  'ChangePassword',
  'CreateApiKey',
  'DeleteApiKey',
  'RotateApiKey',
  'CreateRight',
  'UpdateRight',
  'RenewLicense',
  'SendPasswordLink',
  'ShowPasswordLink',
  'ResetPassword',
  'TurnOnSecondFactor',
  'TurnOffSecondFactor',
  'RemoveSecondFactor',
  'RequireSecondFactor',
  'WaiveSecondFactor',
  'DisableInputDownload',
  'EnableInputDownload',
  'MakeRecoveryCodes',
  'UseRecoveryCode',
  'LogOutEverywhere',
  'EndSession',
  'EndOtherSessions',
  'ApproveStep',
  'RejectStep',
  'SetOfflineReading',
  'BeginMaintenance',
  'EndMaintenance',
  'DrainServer',
  'EndServerDrain',
  'CreateWebhook',
  'UpdateWebhook',
  'DeleteWebhook',
  'RotateWebhookSecret',
  'UpdateAlerts',
  'RequireTestCases',
  'WaiveTestCases',
  'ShareDashboard',
  'PublishDashboard',
  'UnpublishDashboard',
  'DeleteDashboard',
  'SetStartPage',
  'SaveSchedule',
  'DeleteSchedule',
  'PauseSchedule',
  'ResumeSchedule',
  'SaveTrigger',
  'DeleteTrigger',
  'PauseTrigger',
  'ResumeTrigger',
  'RotateTriggerSecret',
  'SaveHolidayCalendar',
  'DeleteHolidayCalendar',
  'CreateSchema',
  'RenameSchema',
  'DeleteSchema',
  'SetQueueing',
  'DeclineAccess',
  'SeeAs',
  'LimitPublicLink',
  'EvaluateActivity',
  'AllowAssistant',
  'EndAssistant',
  'AssistantCall',
  'OfferToAssistants',
  'WithdrawFromAssistants',
] as const;
export type SecurityActionType = (typeof SECURITY_ACTIONS)[number];

export const SecurityAction = closed({
  Id: Type.Integer(),
  UserName: Type.String(),
  UserFullName: Type.String(),
  Time: Timestamp,
  Action: Type.String(),
  TargetUserName: Type.String(),
  TargetRole: Type.String(),
  RightName: Type.String(),
  KeyColumnName: Type.String(),
  KeyColumnValue: Type.String(),
  Address: Type.String(),
});
export type SecurityAction = Static<typeof SecurityAction>;

/** Maximum number of characters of `Meant`. */
export const SEARCH_MEANT_MAX = 8000;

export const SecurityActionSearch = closed({
  /** Every word must occur in a name, the action, the right, its scope or the address. */
  Search: Type.Optional(Type.String({ maxLength: 100 })),
  /**
   * Translation of the search words, because the log does not contain names in the user's language. For each word of
   * `Search`, in order and separated by ';': the names of the matching actions and rights, separated by ','. The word
   * then also matches rows with one of these names.
   */
  Meant: Type.Optional(Type.String({ maxLength: SEARCH_MEANT_MAX })),
  Action: Type.Optional(Type.Enum(SECURITY_ACTIONS)),
  From: Type.Optional(Timestamp),
  /** Exclusive upper limit. */
  Until: Type.Optional(Timestamp),
});
export type SecurityActionSearch = Static<typeof SecurityActionSearch>;

/**
 * Each call examines a bounded part of the log. A search with few matches may return no rows although more follow: the
 * next call continues before `LookedTo`.
 */
export const securityActionsList = get('/api/rights/securityActionsList/:lastId', {
  access: needs('sk.ViewSecurityActions'),
  summary: 'List the security actions before the given one, newest first; 0 for the newest',
  parts: {
    params: closed({ lastId: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) }),
    query: SecurityActionSearch,
    result: closed({ Items: Type.Array(SecurityAction), HasMore: Type.Boolean(), LookedTo: Type.Integer() }),
  },
});

export const downloadSecurityActions = post('/api/rights/securityActionsList/download', {
  access: needs('sk.ViewSecurityActions'),
  summary: 'Export all security actions with their hashes as JSON lines; returns a file token',
  parts: { result: Type.String() },
});
