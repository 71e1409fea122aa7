import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/base/app-error.ts';
import { hasNul, NUL_REFUSED } from '#shared/rules/storable-text.ts';

/**
 * PostgreSQL stores every character except U+0000. A request with such a text is rejected before anything is done with
 * it.
 */
export function refuseNul(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ params, query, body }) => {
    if (hasNul(params) || hasNul(query) || hasNul(body)) throw new AppError('invalid_request', 400, NUL_REFUSED);
  });
}
