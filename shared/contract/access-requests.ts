/** Requests for access to an activity or a run, and the notices that follow from them and from sharing. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, IdParams, nullable, post, RunId, signedIn, Timestamp } from './endpoint.ts';
import { RIGHT_NAMES } from './rights.ts';

/** Days for which a request stays open. The person can ask again afterwards. */
export const REQUEST_DAYS = 14;
/** Requests that one person may send within 24 hours. */
export const REQUESTS_PER_DAY = 10;
export const ACCESS_MESSAGE_MAX = 500;

export const AccessObject = Type.Enum(['Activity', 'Run'] as const);
export type AccessObject = Static<typeof AccessObject>;

const Asked = closed({
  /** When the caller asked for this object. Null if they did not, or if the request was granted or has expired. */
  AskedTime: nullable(Timestamp),
});

export const askedAccess = get('/api/accessrequests/asked/:kind/:id', {
  access: signedIn,
  summary: 'Get whether the user has requested access to an object; reveals nothing about the object',
  parts: { params: closed({ kind: AccessObject, id: RunId }), result: Asked },
});

export const askForAccess = post('/api/accessrequests/ask', {
  access: signedIn,
  summary: 'Request access to an object; the response is the same whether or not the object exists',
  parts: {
    body: closed({ Kind: AccessObject, Id: RunId, Message: Type.String({ maxLength: ACCESS_MESSAGE_MAX }) }),
    result: Asked,
  },
});

export const AccessRequest = closed({
  Id,
  UserId: Type.Integer(),
  UserName: Type.String(),
  UserFullName: Type.String(),
  Email: Type.String(),
  ActivityId: Id,
  ActivityName: Type.String(),
  /** The run that the person asked for; null if they asked for the activity. */
  ActivityRunId: nullable(RunId),
  Message: Type.String(),
  Time: Timestamp,
  /** The rights that [Grant] grants on the activity. */
  Rights: Type.Array(Type.Enum(RIGHT_NAMES)),
});
export type AccessRequest = Static<typeof AccessRequest>;

export const ACCESS_REQUEST_PAGE_SIZE = 50;

export const accessRequests = get('/api/accessrequests', {
  access: signedIn,
  summary: 'List the open access requests that the caller may decide, newest first, paged',
  parts: {
    /** The Id of the last request shown. */
    query: closed({ Before: Type.Optional(Id) }),
    result: closed({ Items: Type.Array(AccessRequest), HasMore: Type.Boolean() }),
  },
});

export const decideAccess = post('/api/accessrequests/decide', {
  access: signedIn,
  summary: 'Grant or decline an access request',
  parts: {
    body: closed({ Id, Grant: Type.Boolean() }),
    result: closed({
      /** False if the person still has no access, because something else prevents it, such as a denial. */
      HasAccess: Type.Boolean(),
    }),
  },
});

export const dismissAccessNotice = post('/api/accessrequests/dismiss/:id', {
  access: signedIn,
  summary: 'Remove one of the user’s notifications about access',
  parts: { params: IdParams, result: Type.Null() },
});
