import type { FastifyInstance } from 'fastify';
import type { ServerState } from '#server/base/server-state.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { isStart, refuseStarts } from './maintenance-service.ts';
import { refusePublishing } from './upgrade-guard.ts';

/**
 * Refuses calls that must wait for the end of maintenance or of an upgrade, and starts whose files could not be stored.
 */
export function refuseByState(
  app: FastifyInstance,
  state: Readonly<ServerState>,
  fileStore: Pick<FileStore, 'check'>,
): void {
  app.addHook('preHandler', async ({ routeOptions: { url = '' } }) => {
    refuseStarts(state, url);
    refusePublishing(state, url);
    if (isStart(url)) await fileStore.check();
  });
}
