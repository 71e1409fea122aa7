import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/base/app-error.ts';
import { discardAfter } from '#server/files/discard-after.ts';
import { keysOf } from '#server/files/received-file.ts';
import { readMultipart } from '#server/http/read-multipart.ts';
import type { ExampleFilesService } from '#server/features/samples/example-files-service.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { clientGone } from '#server/http/client-gone.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import { formatFileSize } from '#shared/codecs/file-size.ts';
import * as contract from '#shared/contract/designs.ts';
import type { DesignsService } from './designs-service.ts';
import type { MarkedWorkbooks } from './marked-workbooks-service.ts';
import type { TryService } from './try-service.ts';

export interface DesignsRoutesDeps {
  designs: DesignsService;
  tryDesign: TryService;
  markedWorkbooks: MarkedWorkbooks;
  examples: Pick<ExampleFilesService, 'read'>;
  files: FileStore;
  maxUploadBytes: number;
}

/** Allows for the marks of two thousand inputs with long options, and the values of large tables. */
const BODY_LIMIT = 32 * 1024 * 1024;

export function registerDesignsRoutes(
  app: FastifyInstance,
  { designs, tryDesign, markedWorkbooks, examples, files, maxUploadBytes }: DesignsRoutesDeps,
): void {
  const tooLarge = (): AppError =>
    new AppError('fileTooLarge', 413, `The file exceeds the limit of ${formatFileSize(maxUploadBytes)}`);
  registerEndpoint(app, contract.openDesign, async ({ person, query, request, reply }) => {
    const gone = clientGone(reply);
    const form = await readMultipart(request, files, () => maxUploadBytes, tooLarge);
    try {
      if (form.files.length > 1) throw new AppError('tooManyFiles', 400, 'You can upload only one file');
      const { Example, ...fields } = form.fields;
      if (Example !== undefined) {
        if (form.files.length > 0)
          throw new AppError('tooManyFiles', 400, 'Send a file or the name of an example, not both');
        const stored = await files.put(await examples.read(Example));
        form.files.push({ FileName: Example, stored, head: Buffer.alloc(0) });
      }
      const [file] = form.files;
      return await designs.open(person, fields, file && { ...file, uploadId: query.UploadId }, gone);
    } catch (error) {
      await discardAfter(files, keysOf(form.files), error);
      throw error;
    }
  });
  registerEndpoint(app, contract.designs, async ({ person }) => ({ Items: await designs.list(person) }));
  registerEndpoint(app, contract.design, ({ person, params }) => designs.get(person, params.id));
  registerEndpoint(app, contract.designPart, ({ person, params }) =>
    designs.part(person, params.id, params.sheet, params.part),
  );
  registerEndpoint(
    app,
    contract.saveMarks,
    ({ person, params, body, reply }) => designs.save(person, params.id, body, clientGone(reply)),
    { bodyLimit: BODY_LIMIT },
  );
  registerEndpoint(
    app,
    contract.tryDesign,
    ({ person, params, body, reply }) => tryDesign(person, params.id, body, clientGone(reply)),
    { bodyLimit: BODY_LIMIT },
  );
  registerEndpoint(app, contract.downloadDesign, ({ person, params, reply }) =>
    markedWorkbooks.download(person, params.id, clientGone(reply)),
  );
  registerEndpoint(app, contract.deleteDesign, async ({ person, params }) => {
    await designs.delete(person, params.id);
    return null;
  });
}
