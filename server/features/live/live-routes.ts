import type { FastifyInstance } from 'fastify';
import { bearerToken } from '#server/http/access.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import { liveEvents } from '#shared/contract/live.ts';
import type { LiveService } from './live-service.ts';

const HEADERS = {
  'content-type': 'text/event-stream',
  // Proxies must hand on each event as it comes.
  'x-accel-buffering': 'no',
  // A connection whose stream was ended by a stop would else be kept for calls that do not come, and the stop would wait for it.
  connection: 'close',
};

export function registerLiveRoutes(app: FastifyInstance, live: LiveService): void {
  registerEndpoint(app, liveEvents, ({ person, query, request, reply }) => {
    const caller = { UserId: person.UserId, token: bearerToken(request), address: request.ip };
    const { runs, chains, activities } = query;
    const watched = { runs: idsOf(runs), chains: idsOf(chains), activities: idsOf(activities) };
    const stream = live.open(caller, watched);
    return reply.headers(HEADERS).send(stream.content);
  });
  // Before the server waits for the calls that are under way: a stream would be one for ever.
  app.addHook('preClose', () => live.close());
}

const idsOf = (text = ''): number[] => text.split(',').filter(Boolean).map(Number);
