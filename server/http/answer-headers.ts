import type { FastifyInstance } from 'fastify';
import {
  APPLICATION_VERSION_HEADER,
  CONTRACT_VERSION,
  CONTRACT_VERSION_HEADER,
  SERVER_TIME_HEADER,
} from '#shared/contract/headers.ts';

/**
 * Adds headers to every response: the server's time and versions, for clients to compare, and the id of its log lines.
 */
export function addAnswerHeaders(app: FastifyInstance, version: string): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({
      [SERVER_TIME_HEADER]: new Date().toISOString(),
      [APPLICATION_VERSION_HEADER]: version,
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
