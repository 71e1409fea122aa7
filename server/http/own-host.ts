import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/base/app-error.ts';

const LOCAL = ['localhost', '127.0.0.1', '[::1]'];

const REFUSED =
  'This call is for another host. Use the address of the portal, and check RUNSHEET_PUBLIC_URL and the proxy.';

/**
 * Throws an AppError 403 for a call that a page of another site may have made through the browser of a person who can
 * reach this server (DNS rebinding): its Host is then a name that this server does not have, and its Origin another one.
 * Nobody can rebind an IP address or localhost.
 *
 * @param address the portal's address; null if it is not configured
 */
export function requireOwnHost({ headers, host, hostname, protocol }: FastifyRequest, address: string | null): void {
  const own = address === null ? null : new URL(address);
  const isOwn = own ? hostname === own.hostname : isAddress(hostname);
  if (!isOwn && !LOCAL.includes(hostname)) throw new AppError('foreignHost', 403, REFUSED);
  const { origin } = headers;
  if (origin === undefined || origin === own?.origin || origin === `${protocol}://${host}`) return;
  throw new AppError('foreignOrigin', 403, 'Pages of other sites may not make this call');
}

const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
