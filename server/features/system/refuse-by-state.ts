import type { FastifyInstance } from 'fastify';
import type { ServerState } from '#server/base/server-state.ts';
import { refuseStarts } from './maintenance-service.ts';
import { refusePublishing } from './upgrade-guard.ts';

/** Refuses what must wait for the end of maintenance, or of an upgrade. */
export function refuseByState(app: FastifyInstance, state: Readonly<ServerState>): void {
  app.addHook('preHandler', async ({ routeOptions: { url = '' } }) => {
    refuseStarts(state, url);
    refusePublishing(state, url);
  });
}
