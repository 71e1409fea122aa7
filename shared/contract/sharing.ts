/** Sharing of an activity: who has access to it and how, and its public link. */
import { Type, type Static } from 'typebox';
import { SHARE_LEVELS, SHARED_RIGHTS } from '#shared/rules/share-levels.ts';
import { ACCESS_MESSAGE_MAX } from './access-requests.ts';
import { closed, get, Id, IdParams, nullable, post, signedIn, Timestamp } from './endpoint.ts';

export const SHARE_PAGE_SIZE = 100;
/** Maximum number of people, and of roles, in one call. */
export const SHARE_MAX = 100;
export const PUBLIC_LINK_MAX_DAYS = 3650;
export const PUBLIC_LINK_MAX_RUNS = 1_000_000;

const Level = Type.Enum(SHARE_LEVELS);

export const ShareHolder = closed({
  Kind: Type.Enum(['User', 'Role'] as const),
  /** Id of the user; null for a role. */
  UserId: nullable(Type.Integer()),
  /** Full name of the user, or name of the role. */
  Name: Type.String(),
  /** Both '' for a role. */
  UserName: Type.String(),
  Email: Type.String(),
  /** Number of people in the role; null for a user. */
  MemberCount: nullable(Type.Integer()),
  /** False for a disabled user, and for a role that is not active: their grants have no effect. */
  IsActive: Type.Boolean(),
});
export type ShareHolder = Static<typeof ShareHolder>;

/** What a user or a role was granted or denied on the activity itself, on its schema, or on all activities. */
export const Share = closed({
  Holder: ShareHolder,
  Scope: Type.Enum(['Activity', 'Schema', 'All'] as const),
  Rights: Type.Array(Type.Enum(SHARED_RIGHTS)),
  /** True if the rights are denied. */
  IsDenied: Type.Boolean(),
});
export type Share = Static<typeof Share>;

export const PublicLink = closed({
  /** True if visitors can run the activity. */
  IsOpen: Type.Boolean(),
  /** True if there is a link for this activity, which may have expired. False if its access comes from elsewhere. */
  IsOwn: Type.Boolean(),
  /** Null for no end. */
  ExpiryTime: nullable(Timestamp),
  /** Null for no limit. */
  MaxRuns: nullable(Type.Integer()),
  /** Runs since the limit was set. */
  RunCount: Type.Integer(),
});
export type PublicLink = Static<typeof PublicLink>;

export const activityShares = get('/api/activities/shares/:id', {
  access: signedIn,
  summary: 'List who has access to an activity, and how; for users who may share it',
  parts: {
    params: IdParams,
    query: closed({ Skip: Type.Optional(Type.Integer({ minimum: 0 })) }),
    result: closed({
      Items: Type.Array(Share),
      HasMore: Type.Boolean(),
      /** Administrators have every right. */
      AdministratorCount: Type.Integer(),
      Schema: Type.String(),
      /** The levels that the caller may give. */
      Levels: Type.Array(Level),
      PublicLink,
      /** True if the caller may create and revoke the public link. */
      CanPublish: Type.Boolean(),
    }),
  },
});
export type ActivityShares = Static<NonNullable<(typeof activityShares)['parts']['result']>>;

export const shareCandidates = get('/api/activities/shares/:id/people', {
  access: signedIn,
  summary: 'List the people and roles with whom an activity can be shared',
  parts: {
    params: IdParams,
    query: closed({ Search: Type.String({ maxLength: 100 }) }),
    result: closed({ Items: Type.Array(ShareHolder), HasMore: Type.Boolean() }),
  },
});

const UserIds = Type.Array(Id, { maxItems: SHARE_MAX });
const Roles = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), { maxItems: SHARE_MAX });

export const shareActivity = post('/api/activities/shares/:id/add', {
  access: signedIn,
  summary: 'Share an activity with people and roles, who are notified',
  parts: {
    params: IdParams,
    body: closed({ Level, UserIds, Roles, Message: Type.String({ maxLength: ACCESS_MESSAGE_MAX }) }),
    result: Type.Null(),
  },
});

export const unshareActivity = post('/api/activities/shares/:id/remove', {
  access: signedIn,
  summary: 'Revoke what was granted to people and roles on the activity itself',
  parts: { params: IdParams, body: closed({ UserIds, Roles }), result: Type.Null() },
});

export const savePublicLink = post('/api/activities/shares/:id/publiclink', {
  access: signedIn,
  summary: 'Create the public link of an activity, or set new limits; requires sk.ManageRights',
  parts: {
    params: IdParams,
    body: closed({
      /** Counted from now on; null for no end. The present end stays if absent. */
      Days: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: PUBLIC_LINK_MAX_DAYS }))),
      /** Counted from now on; null for no limit. The present limit and its count stay if absent. */
      MaxRuns: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: PUBLIC_LINK_MAX_RUNS }))),
    }),
    result: Type.Null(),
  },
});

export const revokePublicLink = post('/api/activities/shares/:id/publiclink/revoke', {
  access: signedIn,
  summary: 'Revoke the public link of an activity; requires sk.ManageRights',
  parts: { params: IdParams, result: Type.Null() },
});
