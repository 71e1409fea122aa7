import type { FastifyInstance } from 'fastify';
import type { StaticFolders } from '#server/folders/static-folders.ts';
import { registerEndpoint, registerPublicEndpoint } from '#server/http/register-endpoint.ts';
import { downloadFile, listStaticFolders, uploadFiles } from '#shared/contract/files.ts';
import type { FilesService } from './files-service.ts';
import { sendDownload } from '#server/http/send-download.ts';
import type { UploadHandler } from './upload-handler.ts';

export interface FilesRoutesDeps {
  files: FilesService;
  upload: UploadHandler;
  folders: Pick<StaticFolders, 'names'>;
}

export function registerFilesRoutes(app: FastifyInstance, { files, upload, folders }: FilesRoutesDeps): void {
  registerEndpoint(app, uploadFiles, ({ person, request }) => upload(person, request));
  registerEndpoint(app, listStaticFolders, async () => ({
    Items: folders.names.map((Name) => ({ FolderKey: Name, Name })),
  }));
  registerPublicEndpoint(app, downloadFile, ({ params, reply }) => sendDownload(files, params.token, reply));
}
