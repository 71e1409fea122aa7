import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/features/core.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import type { LicenseService } from '#server/features/license/license-service.ts';
import type { ExampleFilesService } from '#server/features/samples/example-files-service.ts';
import { createDesignAccess } from './design-access.ts';
import { deleteOldDesigns } from './design-files.ts';
import { registerDesignsRoutes } from './designs-routes.ts';
import { createDesignsService, type DesignsService } from './designs-service.ts';
import { createMarkedWorkbooks, type MarkedWorkbooks } from './marked-workbooks-service.ts';
import { createTryService } from './try-service.ts';

export interface RouteNeeds extends Core {
  designs: DesignsService;
  markedWorkbooks: MarkedWorkbooks;
  examples: ExampleFilesService;
  license: LicenseService;
}

export const designsModule = {
  create: (core: Core & { files: FilesService }) => {
    const { database, fileStore: store } = core;
    const deps = { ...core, store, designAccess: createDesignAccess(core) };
    const markedWorkbooks = createMarkedWorkbooks(deps);
    return {
      markedWorkbooks,
      designs: createDesignsService({ ...deps, marked: markedWorkbooks }),
      deleteOldDesigns: (signal: AbortSignal): Promise<number> => deleteOldDesigns({ database, store }, signal),
    };
  },
  register: (http: FastifyInstance, parts: RouteNeeds): void => {
    const { executor, fileStore, license, markedWorkbooks } = parts;
    const isLicensed = (): Promise<boolean> => license.allowsRuns();
    const tryDesign = createTryService({ marked: markedWorkbooks, executor, isLicensed });
    registerDesignsRoutes(http, { ...parts, tryDesign, files: fileStore });
  },
};
