import type { FastifyInstance } from 'fastify';
import { readSheetRows } from '#server/executors/workbook/import/sheet-reader.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { Core } from '#server/features/core.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import { registerBatchesRoutes } from './batches-routes.ts';
import { createBatchesService } from './batches-service.ts';

export const batchesModule = {
  register: (http: FastifyInstance, parts: Core & { activities: ActivitiesService; files: FilesService }): void => {
    registerBatchesRoutes(http, { ...parts, batches: createBatchesService({ ...parts, readRows: readSheetRows }) });
  },
};
