import type { FastifyInstance } from 'fastify';
import type { Log } from '#server/base/log.ts';
import type { Core } from '#server/features/core.ts';
import type { VersionPurge } from '#server/features/versions/version-purge-service.ts';
import { registerPurgeRoutes } from './purge-routes.ts';
import { createPurgeService } from './purge-service.ts';
import { deleteByRetention } from './retention-keeper.ts';
import { registerWorkflowPurgeRoutes } from './workflow-purge-routes.ts';
import { createWorkflowPurgeService } from './workflow-purge-service.ts';

/** Milliseconds between two log lines about a deletion in progress. */
const PROGRESS_INTERVAL_MS = 60_000;

export const retentionModule = {
  create: (core: Core) => ({
    /** Deletes runs beyond their retention periods. */
    applyRetention: (signal: AbortSignal): Promise<void> => applyRetention(core, signal),
  }),
  register: (http: FastifyInstance, parts: Core & { versionPurge: VersionPurge }): void => {
    const { fileStore, checklistAccess, checklistRunAccess, versionPurge } = parts;
    const deps = { ...parts, store: fileStore };
    registerPurgeRoutes(http, { purge: createPurgeService(deps), versions: versionPurge });
    registerWorkflowPurgeRoutes(
      http,
      createWorkflowPurgeService({ ...deps, access: checklistAccess, runAccess: checklistRunAccess }),
    );
  },
};

/** With a million runs this takes long, so the log reports progress. */
async function applyRetention(
  { database, fileStore, log }: Pick<Core, 'database' | 'fileStore'> & { log: Pick<Log, 'info'> },
  signal: AbortSignal,
): Promise<void> {
  let runs = 0;
  let logged = performance.now();
  const onProgress = (count: number): void => {
    runs += count;
    if (performance.now() - logged < PROGRESS_INTERVAL_MS) return;
    logged = performance.now();
    log.info({ runs }, 'deleting data whose retention period has ended');
  };
  const total = await deleteByRetention({ database, store: fileStore }, signal, onProgress);
  if (total > 0) log.info({ runs: total }, 'deleted data whose retention period has ended');
}
