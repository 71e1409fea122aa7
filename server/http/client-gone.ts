import type { FastifyReply } from 'fastify';
import { AppError } from '#server/base/app-error.ts';

/** Returns a signal that aborts if the client disconnects before it has its response: then nobody needs the work. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(new AppError('clientGone', 400, 'The client closed the connection'));
  });
  return gone.signal;
}
