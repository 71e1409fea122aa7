/** What whoever asks may do and may not, and where that comes from. */
import { Type, type Static } from 'typebox';
import { closed, get, Id, signedIn } from './endpoint.ts';
import { RIGHT_NAMES } from './rights.ts';

/** See RightAnswer of the server. */
export const RightSource = Type.Enum(['explicit', 'role', 'implied', 'none', 'internet', 'key'] as const);

export const OwnRight = closed({
  Right: Type.Enum(RIGHT_NAMES),
  Description: Type.String(),
  Access: Type.Boolean(),
  Source: RightSource,
  /** Of theirs, that gives or denies it; '' where none does. */
  Role: Type.String(),
  /** The right that brings it, or IsUserAdmin; '' where none does. */
  ImpliedBy: Type.String(),
  /** The key column by whose value it was decided, and the value; both '' where that was for all. */
  KeyColumn: Type.String(),
  KeyValue: Type.String(),
});
export type OwnRight = Static<typeof OwnRight>;

export const OwnRightsQuery = closed({
  /** One of them at most; without one it is asked for all objects. */
  ActivityId: Type.Optional(Id),
  ChecklistId: Type.Optional(Id),
});
export type OwnRightsQuery = Static<typeof OwnRightsQuery>;

export const ownRights = get('/api/ownRights', {
  access: signedIn,
  summary: 'What one may do with an activity or a checklist, or at all, and where that comes from',
  parts: { query: OwnRightsQuery, result: closed({ Items: Type.Array(OwnRight) }) },
});
