/**
 * Binds a sign-in to the browser that began it, so that nobody can give another person their own one-time token
 * sign-in. The cookie is only compared when such a token is redeemed; it authorizes no call.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashToken, randomToken } from './sso-tokens.ts';

/** Longer than a sign-in at the provider may take. */
const LIFETIME_SECONDS = 900;

/**
 * On https, the prefix prevents neighboring host names from setting the cookie. Browsers accept the prefix only there.
 */
const nameOf = (request: FastifyRequest): string =>
  request.protocol === 'https' ? '__Host-runsheet-sso' : 'runsheet-sso';

/** Returns the hash of the browser's binding, creating the binding if there is none. Several tabs share one. */
export function bindBrowser(request: FastifyRequest, reply: FastifyReply): string {
  const token = readBinding(request) ?? randomToken();
  const secure = request.protocol === 'https' ? '; Secure' : '';
  const cookie = `${nameOf(request)}=${token}; Path=/; Max-Age=${LIFETIME_SECONDS}; HttpOnly; SameSite=Strict${secure}`;
  void reply.header('set-cookie', cookie);
  return hashToken(token);
}

/** Returns the hash of the browser's binding; null if it has none. */
export function bindingOf(request: FastifyRequest): string | null {
  const token = readBinding(request);
  return token === null ? null : hashToken(token);
}

function readBinding(request: FastifyRequest): string | null {
  const name = nameOf(request);
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key = '', value = ''] = part.trim().split('=');
    if (key === name && /^[A-Za-z0-9_-]{43}$/.test(value)) return value;
  }
  return null;
}
