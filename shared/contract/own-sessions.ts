/** One's own sessions: where one is signed in, and how to end that. */
import { Type, type Static } from 'typebox';
import { SignInProof } from './auth.ts';
import { closed, get, post, signedIn, Timestamp } from './endpoint.ts';

/** Names a session to its owner; of no use as a token. */
const SessionKey = Type.String({ minLength: 43, maxLength: 43 });

export const OwnSession = closed({
  Id: SessionKey,
  /** The session of this very call. */
  IsCurrent: Type.Boolean(),
  CreatedTime: Timestamp,
  /** To half a minute. */
  LastUsedTime: Timestamp,
  /** From where the sign-in came. */
  Address: Type.String(),
  /** As the program named itself at the sign-in; empty where it did not. */
  Client: Type.String(),
});
export type OwnSession = Static<typeof OwnSession>;

export const listOwnSessions = get('/api/users/sessions', {
  access: signedIn,
  sessionOnly: true,
  summary: 'One’s own sessions that have not ended, the last used first',
  parts: { result: closed({ Items: Type.Array(OwnSession) }) },
});

export const endOwnSession = post('/api/users/sessions/end', {
  access: signedIn,
  sessionOnly: true,
  summary: 'End one of one’s own sessions',
  parts: { body: closed({ Id: SessionKey, ...SignInProof.properties }), result: Type.Null() },
});

export const endOtherSessions = post('/api/users/sessions/endothers', {
  access: signedIn,
  sessionOnly: true,
  summary: 'End all of one’s own sessions but that of the call',
  parts: { body: SignInProof, result: Type.Null() },
});
