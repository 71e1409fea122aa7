/**
 * Device cookies: they identify a browser that was in an account before, so that strangers who try the account do not
 * slow down its owner. They sign nobody in and authorize no call; the password is still required. Source: OWASP, "Slow
 * Down Online Guessing Attacks with Device Cookies".
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface KnownDevices {
  /** Returns the browser of a request if it was in that account before; otherwise null. */
  deviceOf(request: FastifyRequest, account: string): string | null;
  /** Remembers the browser that has just signed in to the account. */
  remember(request: FastifyRequest, reply: FastifyReply, account: string): void;
}

const LIFETIME_SECONDS = 180 * 86_400;

/**
 * The cookies are signed with a key derived from the server's own key, so nothing is stored. If that key changes, all
 * browsers are unknown again.
 */
export function createKnownDevices(secretKey: string): KnownDevices {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'runsheet: known devices', 32));
  const signatureOf = (account: string, device: string, issued: string): Buffer =>
    createHmac('sha256', key).update(`${account}\n${device}\n${issued}`).digest();
  /** People may share a browser, so each account has its own cookie. Its name does not reveal the account. */
  const nameOf = ({ protocol }: FastifyRequest, account: string): string => {
    const tail = createHmac('sha256', key).update(`name ${account}`).digest('base64url').slice(0, 8);
    return `${protocol === 'https' ? '__Host-' : ''}runsheet-device-${tail}`;
  };

  return {
    deviceOf: (request, account) => {
      const value = cookieOf(request, nameOf(request, account));
      const [, device = '', issued = '', signature = ''] =
        /^([A-Za-z0-9_-]{22})\.(\d{1,12})\.([A-Za-z0-9_-]{43})$/.exec(value ?? '') ?? [];
      if (device === '' || Number(issued) + LIFETIME_SECONDS < Date.now() / 1000) return null;
      const given = Buffer.from(signature, 'base64url');
      const right = signatureOf(account, device, issued);
      return given.length === right.length && timingSafeEqual(given, right) ? device : null;
    },
    remember: (request, reply, account) => {
      const device = randomBytes(16).toString('base64url');
      const issued = String(Math.floor(Date.now() / 1000));
      const value = `${device}.${issued}.${signatureOf(account, device, issued).toString('base64url')}`;
      const secure = request.protocol === 'https' ? '; Secure' : '';
      const attributes = `Path=/; Max-Age=${LIFETIME_SECONDS}; HttpOnly; SameSite=Strict${secure}`;
      void reply.header('set-cookie', `${nameOf(request, account)}=${value}; ${attributes}`);
    },
  };
}

function cookieOf({ headers }: FastifyRequest, name: string): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [key = '', value = ''] = part.trim().split('=');
    if (key === name) return value;
  }
  return undefined;
}
