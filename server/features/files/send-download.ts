import type { FastifyReply } from 'fastify';
import { attachment } from './file-name.ts';
import type { FilesService } from './files-service.ts';

/** Answers with the file behind a token, always as a download, never shown by the browser as a page. */
export async function sendDownload(files: FilesService, token: string, reply: FastifyReply): Promise<FastifyReply> {
  const { content, FileName, ContentLength } = await files.download(token);
  return reply
    .header('content-type', 'application/octet-stream')
    .header('content-disposition', attachment(FileName))
    .header('content-length', ContentLength)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .send(content);
}
