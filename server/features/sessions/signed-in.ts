/** What a sign-in gives, by password or through a provider. */
import type { FastifyReply } from 'fastify';
import type { TokenResponse } from '#shared/contract/auth.ts';
import { LAST_FAILED_LOGIN_HEADER } from '#shared/contract/headers.ts';
import type { UserRow } from '#server/features/users/users-service.ts';
import type { IssuedToken } from './sessions-service.ts';

export interface SignedIn extends IssuedToken {
  /** Of the sign-in before this one. */
  lastLoginTime: Date | null;
  /** Of the last failed attempt, where it was after that. */
  lastFailedLoginTime: Date | null;
  /** '<kind>:<key>' of the provider that signed the person in. */
  ssoProvider?: string;
  ssoExpiry?: Date | null;
  /** Where the sign-in set up a second factor. */
  recoveryCodes?: string[];
}

export function failedSince({ LastLoginTime, LastFailedLoginTime }: UserRow): Date | null {
  if (!LastFailedLoginTime) return null;
  return !LastLoginTime || LastFailedLoginTime > LastLoginTime ? LastFailedLoginTime : null;
}

/** The token response; a failed attempt that the person should know of is told in a header. Specification of security, section 4. */
export function answerSignedIn(reply: FastifyReply, signedIn: SignedIn, inactivityMinutes: number): TokenResponse {
  const { token, expiry, lastLoginTime, lastFailedLoginTime, ssoExpiry, ssoProvider, recoveryCodes } = signedIn;
  if (lastFailedLoginTime) void reply.header(LAST_FAILED_LOGIN_HEADER, lastFailedLoginTime.toISOString());
  return {
    access_token: token,
    expiry: expiry.toISOString(),
    ssoExpiry: ssoExpiry?.toISOString() ?? null,
    ssoProvider: ssoProvider ?? null,
    inactivityTimeout: inactivityMinutes * 60,
    lastLoginTime: lastLoginTime?.toISOString() ?? null,
    lastLoginToken: null,
    ...(recoveryCodes ? { recoveryCodes } : {}),
  };
}
