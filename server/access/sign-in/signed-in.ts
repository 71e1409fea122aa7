/** The result of a sign-in, by password or through a provider. */
import type { TokenResponse } from '#shared/contract/auth.ts';
import { LAST_FAILED_LOGIN_HEADER } from '#shared/contract/headers.ts';

export interface IssuedToken {
  token: string;
  expiry: Date;
}

export interface SignedIn extends IssuedToken {
  /** Time of the previous sign-in. */
  lastLoginTime: Date | null;
  /** Time of the last failed attempt, if it came after the previous sign-in. */
  lastFailedLoginTime: Date | null;
  /** '<kind>:<key>' of the single sign-on provider. */
  ssoProvider?: string;
  ssoExpiry?: Date | null;
  /** Only set if the sign-in set up a second factor. */
  recoveryCodes?: string[];
}

/** The times of a user's sign-ins. */
interface SignInTimes {
  LastLoginTime: Date | null;
  LastFailedLoginTime: Date | null;
}

export function failedSince({ LastLoginTime, LastFailedLoginTime }: SignInTimes): Date | null {
  if (!LastFailedLoginTime) return null;
  return !LastLoginTime || LastFailedLoginTime > LastLoginTime ? LastFailedLoginTime : null;
}

/** The reply of a call, as far as it takes headers. */
interface Reply {
  header(name: string, value: string): unknown;
}

/**
 * Returns the token response. A header reports a failed attempt that the person should know of. Specification of
 * security, section 4.
 */
export function answerSignedIn(reply: Reply, signedIn: SignedIn, inactivityMinutes: number): TokenResponse {
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
