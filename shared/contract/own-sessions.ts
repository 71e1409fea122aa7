/** The user's own sessions: where they are signed in, and how to end a session. */
import { Type, type Static } from 'typebox';
import { SignInProof } from './auth.ts';
import { closed, get, post, signedIn, Timestamp } from './endpoint.ts';

/** Identifies a session to its owner; cannot be used as a token. */
const SessionKey = Type.String({ minLength: 43, maxLength: 43 });

export const OwnSession = closed({
  Id: SessionKey,
  /** True for the session that makes this call. */
  IsCurrent: Type.Boolean(),
  CreatedTime: Timestamp,
  /** Accurate to half a minute. */
  LastUsedTime: Timestamp,
  /** Network address from which the user signed in. */
  Address: Type.String(),
  /** Name that the program gave at sign-in; empty if it gave none. */
  Client: Type.String(),
  /** True if the session is a grant to an assistant, whose name `Client` is. */
  IsAssistant: Type.Boolean(),
});
export type OwnSession = Static<typeof OwnSession>;

export const listOwnSessions = get('/api/users/sessions', {
  access: signedIn,
  sessionOnly: true,
  summary: 'List the user’s own open sessions, last used first',
  parts: { result: closed({ Items: Type.Array(OwnSession) }) },
});

export const endOwnSession = post('/api/users/sessions/end', {
  access: signedIn,
  sessionOnly: true,
  summary: 'End one of the user’s own sessions',
  parts: { body: closed({ Id: SessionKey, ...SignInProof.properties }), result: Type.Null() },
});

export const endOtherSessions = post('/api/users/sessions/endothers', {
  access: signedIn,
  sessionOnly: true,
  summary: 'End all of the user’s own sessions except the one of the call',
  parts: { body: SignInProof, result: Type.Null() },
});
