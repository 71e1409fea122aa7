/** Rights of the caller, and where each comes from. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, signedIn } from './endpoint.ts';
import { RIGHT_NAMES } from './rights.ts';

/** See RightAnswer on the server. */
export const RightSource = Type.Enum(['explicit', 'role', 'implied', 'none', 'internet', 'key'] as const);

export const OwnRight = closed({
  Right: Type.Enum(RIGHT_NAMES),
  Description: Type.String(),
  Access: Type.Boolean(),
  Source: RightSource,
  /** The caller's role that grants or denies it; '' if no role does. */
  Role: Type.String(),
  /** The right that implies it, or IsUserAdmin; '' if none does. */
  ImpliedBy: Type.String(),
  /** Key column and value for which the decision was made; both '' if it was made for All. */
  KeyColumn: Type.String(),
  KeyValue: Type.String(),
});
export type OwnRight = Static<typeof OwnRight>;

export const OwnRightsQuery = closed({
  /** At most one of the two. Without either, the rights for All are returned. */
  ActivityId: Type.Optional(Id),
  ChecklistId: Type.Optional(Id),
});
export type OwnRightsQuery = Static<typeof OwnRightsQuery>;

export const ownRights = get('/api/ownRights', {
  access: signedIn,
  summary: 'List what the user may do with an activity or a checklist, or in general, with the reasons',
  parts: { query: OwnRightsQuery, result: closed({ Items: Type.Array(OwnRight) }) },
});
