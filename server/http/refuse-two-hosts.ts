import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/base/app-error.ts';

const TWO_HOSTS =
  'The request has more than one Host header. Send exactly one; if a proxy adds the other, correct the proxy.';

/**
 * Rejects requests with several Host headers. Node.js uses the first one, and a proxy in front may use another, so the
 * two would refer to different hosts. Source: RFC 9112, section 3.2, which requires servers to reject such a request.
 */
export function refuseTwoHosts(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { rawHeaders } }) => {
    const names = rawHeaders.filter((_, index) => index % 2 === 0);
    const hosts = names.filter((name) => name.toLowerCase() === 'host');
    if (hosts.length > 1) throw new AppError('invalid_request', 400, TWO_HOSTS);
  });
}
