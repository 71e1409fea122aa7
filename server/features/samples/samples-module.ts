import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/features/core.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import { addDatabaseSamples, addSamples } from './add-samples.ts';
import { registerExampleFilesRoutes } from './example-files-routes.ts';
import { createExampleFilesService, type ExampleFilesService } from './example-files-service.ts';
import { openSampleDatabase } from './sample-connection.ts';

export const samplesModule = {
  create: ({ files }: Core & { files: FilesService }) => ({ examples: createExampleFilesService(files) }),
  register: (http: FastifyInstance, { examples }: { examples: ExampleFilesService }): void =>
    registerExampleFilesRoutes(http, examples),
  openDatabase: openSampleDatabase,
  add: addSamples,
  addForDatabase: addDatabaseSamples,
};
