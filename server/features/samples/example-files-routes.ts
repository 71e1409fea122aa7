import type { FastifyInstance } from 'fastify';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import { downloadExampleFile, exampleFiles } from '#shared/contract/example-files.ts';
import type { ExampleFilesService } from './example-files-service.ts';

export function registerExampleFilesRoutes(app: FastifyInstance, examples: ExampleFilesService): void {
  registerEndpoint(app, exampleFiles, async () => ({ Items: await examples.list() }));
  registerEndpoint(app, downloadExampleFile, ({ person, body }) => examples.token(person, body.FileName));
}
