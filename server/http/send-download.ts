import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { attachment } from '#server/files/file-name.ts';

/** Finds the file of a download token. */
interface Downloads {
  download(token: string): Promise<{ content: Readable; FileName: string; ContentLength: number }>;
}

/** Sends the file for a token. It is always sent as a download, so that the browser never renders it as a page. */
export async function sendDownload(files: Downloads, token: string, reply: FastifyReply): Promise<FastifyReply> {
  const { content, FileName, ContentLength } = await files.download(token);
  return reply
    .header('content-type', 'application/octet-stream')
    .header('content-disposition', attachment(FileName))
    .header('content-length', ContentLength)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .send(content);
}
