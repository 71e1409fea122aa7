import type { FastifyInstance } from 'fastify';
import { documentFile, findDocument } from '#shared/contract/documents.ts';
import type { FilesService } from '#server/features/files/files-service.ts';
import { sendDownload } from '#server/http/send-download.ts';
import { registerEndpoint, registerPublicEndpoint } from '#server/http/register-endpoint.ts';
import type { DocumentsService } from './documents-service.ts';

export function registerDocumentsRoutes(app: FastifyInstance, documents: DocumentsService, files: FilesService): void {
  registerEndpoint(app, findDocument, ({ person, params }) => documents.find(person, params.uniqueId));
  registerPublicEndpoint(app, documentFile, ({ params, reply }) => sendDownload(files, params.token, reply));
}
