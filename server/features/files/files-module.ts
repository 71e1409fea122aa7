import type { FastifyInstance } from 'fastify';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { Core } from '#server/features/core.ts';
import type { LinksService } from '#server/features/links/links-service.ts';
import { deleteUnneededFiles } from './files-janitor.ts';
import { registerFilesRoutes, type FilesRoutesDeps } from './files-routes.ts';
import { createFilesService, type FilesService } from './files-service.ts';
import { sweepFileStore } from './orphan-sweep.ts';
import { createUploadHandler } from './upload-handler.ts';

export const filesModule = {
  create: ({ database, fileStore }: Core) => ({
    files: createFilesService(database, fileStore),
    fileJanitor: {
      /** Deletes rows and contents of files that nothing needs. */
      deleteUnneeded: (signal: AbortSignal): Promise<number> => deleteUnneededFiles(database, fileStore, signal),
      /** Deletes contents that no row refers to. */
      sweep: (signal: AbortSignal): Promise<number> => sweepFileStore(database, fileStore, signal),
    },
  }),
};

export interface UploadNeeds extends Core {
  files: FilesService;
  activities: ActivitiesService;
  links: LinksService;
}

/** Uploads belong to inputs of activities, so they come after those. */
export const uploadsModule = {
  create: (core: UploadNeeds) => ({ upload: createUploadHandler({ ...core, store: core.fileStore }) }),
  register: (http: FastifyInstance, parts: FilesRoutesDeps): void => registerFilesRoutes(http, parts),
};
