import type { FastifyInstance } from 'fastify';
import { CONTRACT_VERSION, CONTRACT_VERSION_HEADER } from '#shared/contract/headers.ts';

/** What every answer carries: the server's clock and versions, for the client to compare, and the id its log lines have. */
export function addAnswerHeaders(app: FastifyInstance, version: string): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({
      'x-server-time': new Date().toISOString(),
      'x-application-version': version,
      [CONTRACT_VERSION_HEADER]: String(CONTRACT_VERSION),
      'x-request-id': request.id,
    });
  });
  app.addHook('onSend', async (request, reply) => {
    if (!reply.hasHeader('cache-control') && isApi(request.url)) {
      void reply.headers({ 'cache-control': 'no-cache, no-store, must-revalidate', pragma: 'no-cache' });
    }
  });
}

export function isApi(url: string): boolean {
  return /^\/(api|token)(\/|\?|$)/.test(url);
}
