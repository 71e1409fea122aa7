import type { FastifyInstance } from 'fastify';
import { health, live, ready } from '#shared/contract/activities.ts';
import { AppError } from '#server/base/app-error.ts';
import type { ServerState } from '#server/base/server-state.ts';
import type { Database } from '#server/db/database.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { registerPublicEndpoint } from '#server/http/register-endpoint.ts';

const OK = { Status: 'ok' as const };

/** Health check for load balancers and containers. */
export function registerHealthRoutes(
  app: FastifyInstance,
  { knex }: Pick<Database, 'knex'>,
  state: Readonly<ServerState>,
  fileStore: Pick<FileStore, 'check'>,
): void {
  registerPublicEndpoint(app, health, async () => {
    await knex.raw('select 1');
    return OK;
  });
  registerPublicEndpoint(app, live, () => OK);
  registerPublicEndpoint(app, ready, async () => {
    if (state.isDraining)
      throw new AppError('notReady', 503, state.isStopping ? 'The server is stopping.' : 'The server is drained.');
    await knex.raw('select 1');
    await fileStore.check();
    return OK;
  });
}
