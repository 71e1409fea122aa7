import type { FastifyInstance } from 'fastify';
import { bearerToken } from '#server/http/access.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import { liveEvents } from '#shared/contract/live.ts';
import type { LiveService } from './live-service.ts';

const HEADERS = {
  'content-type': 'text/event-stream',
  // Proxies must forward each event immediately.
  'x-accel-buffering': 'no',
  // When a stop ends a stream, its connection must close too. A keep-alive connection would delay the stop.
  connection: 'close',
};

export function registerLiveRoutes(app: FastifyInstance, live: LiveService): void {
  registerEndpoint(app, liveEvents, ({ person, query, request, reply }) => {
    const caller = { UserId: person.UserId, token: bearerToken(request), address: request.ip };
    const { runs, chains, activities, all = false } = query;
    const watched = { runs: idsOf(runs), chains: idsOf(chains), activities: idsOf(activities), all };
    const stream = live.open(caller, watched);
    return reply.headers(HEADERS).send(stream.content);
  });
  // Runs before the server waits for pending calls: a stream would never end.
  app.addHook('preClose', () => live.close());
}

const idsOf = (text = ''): number[] => text.split(',').filter(Boolean).map(Number);
