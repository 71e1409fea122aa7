/** Why a person can or cannot do something with an activity, and the one change that would reverse it. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, nullable, signedIn } from './endpoint.ts';
import { RIGHT_NAMES } from './rights.ts';
import { ShareHolder } from './sharing.ts';

const Right = Type.Enum(RIGHT_NAMES);
export const AccessScope = Type.Enum(['Activity', 'Schema', 'All'] as const);
export type AccessScope = Static<typeof AccessScope>;

/** A grant or denial that concerns the right. The most specific scope decides; within a scope, a denial wins. */
export const AccessStep = closed({
  Scope: AccessScope,
  IsGrant: Type.Boolean(),
  /** The role that grants or denies it; '' for the person's own. */
  Role: Type.String(),
  /** False for a role that is not active and therefore has no effect. */
  IsRoleActive: Type.Boolean(),
  /** The granted right that implies this one; null if the grant names the right itself. */
  ImpliedBy: nullable(Right),
  /** True for the grants and denials that decide. */
  Decides: Type.Boolean(),
});
export type AccessStep = Static<typeof AccessStep>;

/**
 * The one change that reverses the answer.
 * Grant, Deny, RemoveGrant, RemoveDenial: of the person, on Scope.
 * RemoveRoleDenial: of Role, on Scope; concerns all people in the role.
 * EnableRole: Role is not active, but would grant the right.
 */
export const AccessFix = closed({
  Kind: Type.Enum(['Grant', 'Deny', 'RemoveGrant', 'RemoveDenial', 'RemoveRoleDenial', 'EnableRole'] as const),
  Scope: AccessScope,
  Role: Type.String(),
  /** True if the caller may make the change. */
  CanApply: Type.Boolean(),
});
export type AccessFix = Static<typeof AccessFix>;

export const AccessReason = closed({
  Right,
  Access: Type.Boolean(),
  /** Most specific first. Empty if nothing was granted or denied. */
  Steps: Type.Array(AccessStep),
  /** Null for administrators, who have every right. */
  Fix: nullable(AccessFix),
  /** True if the right also counts outside the trusted networks. */
  CountsOutside: Type.Boolean(),
});
export type AccessReason = Static<typeof AccessReason>;

export const AccessReasons = closed({
  UserId: Id,
  UserName: Type.String(),
  UserFullName: Type.String(),
  /** False if the person cannot sign in, whatever their rights. */
  IsEnabled: Type.Boolean(),
  IsUserAdmin: Type.Boolean(),
  CanEnable: Type.Boolean(),
  ActivityId: Id,
  ActivityName: Type.String(),
  Schema: Type.String(),
  /** False if nobody can run the activity, and only editors see it. */
  IsActive: Type.Boolean(),
  /** True if calls from outside the trusted networks are restricted. */
  HasTrustedNetworks: Type.Boolean(),
  /** True if the caller manages rights. Others change only what sharing allows. */
  CanManage: Type.Boolean(),
  Rights: Type.Array(AccessReason),
});
export type AccessReasons = Static<typeof AccessReasons>;

export const accessReasons = get('/api/accessreasons/:userId/:activityId', {
  access: signedIn,
  summary:
    'Explain why a person can or cannot do something with an activity; for auditors, and for users who may share it',
  parts: { params: closed({ userId: Id, activityId: Id }), result: AccessReasons },
});

const Search = Type.String({ maxLength: 100 });
/** What is searched, or the id of the one that is known. */
const Wanted = closed({ Search: Type.Optional(Search), Id: Type.Optional(Id) });

export const reasonPeople = get('/api/accessreasons/people', {
  access: signedIn,
  summary: 'List the people whose access can be explained, including disabled ones',
  parts: { query: Wanted, result: closed({ Items: Type.Array(ShareHolder), HasMore: Type.Boolean() }) },
});

export const reasonActivities = get('/api/accessreasons/activities', {
  access: signedIn,
  summary: 'List the activities for which access can be explained: all for auditors, visible ones for others',
  parts: {
    query: Wanted,
    result: closed({
      Items: Type.Array(closed({ Id, Name: Type.String(), Schema: Type.String() })),
      HasMore: Type.Boolean(),
    }),
  },
});
