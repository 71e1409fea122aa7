import type { FastifyReply } from 'fastify';
import { AppError } from '#server/base/app-error.ts';

/** Aborts when the client breaks off before it has its answer: nobody waits for the work any more. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new AppError('clientGone', 400, 'The client broke off'));
  });
  return gone.signal;
}
