import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/base/app-error.ts';
import { discardAfter } from '#server/files/discard-after.ts';
import { discardFiles, keysOf } from '#server/files/received-file.ts';
import { readMultipart } from '#server/http/read-multipart.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { clientGone } from '#server/http/client-gone.ts';
import { registerEndpoint } from '#server/http/register-endpoint.ts';
import { formatFileSize } from '#shared/codecs/file-size.ts';
import { updateActivity } from '#shared/contract/activities.ts';
import { versionFidelity } from '#shared/contract/fidelity.ts';
import * as contract from '#shared/contract/versions.ts';
import { inspectWorkbook } from '#shared/contract/workbook-inspection.ts';
import type { DesignsService } from '#server/features/designs/designs-service.ts';
import type { MarkedWorkbooks } from '#server/features/designs/marked-workbooks-service.ts';
import type { InspectService } from './inspect-service.ts';
import type { PublishService } from './publish-service.ts';
import { fileIdOfUpload } from '#server/versions/repeated-upload.ts';
import { readUploadFields } from '#server/versions/upload-fields.ts';
import type { VersionsService } from './versions-service.ts';

export interface VersionsRoutesDeps {
  publishing: PublishService;
  inspecting: InspectService;
  designs: Pick<DesignsService, 'delete'>;
  markedWorkbooks: Pick<MarkedWorkbooks, 'forPublishing'>;
  versions: VersionsService;
  files: FileStore;
  maxUploadBytes: number;
}

export function registerVersionsRoutes(app: FastifyInstance, deps: VersionsRoutesDeps): void {
  const { publishing, versions } = deps;
  registerEndpoint(app, updateActivity, async ({ person, body, reply }) => {
    await publishing.update(person, body, clientGone(reply));
    return { Id: body.Id };
  });
  registerEndpoint(app, contract.downloadVersion, ({ person, params }) =>
    versions.download(person, params.id, params.version),
  );
  registerEndpoint(app, contract.allVersions, ({ person, body }) => versions.all(person, body));
  registerEndpoint(app, contract.activityVersions, ({ person, params }) => versions.of(person, params.id));
  registerEndpoint(app, versionFidelity, ({ person, params }) => versions.fidelity(person, params.id, params.version));
  registerUpload(app, deps);
}

function registerUpload(app: FastifyInstance, deps: VersionsRoutesDeps): void {
  const { publishing, inspecting, designs, markedWorkbooks, files, maxUploadBytes } = deps;
  const tooLarge = (): AppError =>
    new AppError('fileTooLarge', 413, `The file exceeds the limit of ${formatFileSize(maxUploadBytes)}`);
  registerEndpoint(app, contract.createActivity, async ({ person, query, request, reply }) => {
    const gone = clientGone(reply);
    const form = await readMultipart(request, files, () => maxUploadBytes, tooLarge);
    try {
      const { DesignId, Id = 0 } = readUploadFields(form.fields).fields;
      if (form.files.length > (DesignId === undefined ? 1 : 0))
        throw new AppError('tooManyFiles', 400, 'You can upload only one file');
      const uploadId = query.UploadId;
      const fileId = fileIdOfUpload(person.UserId, { uploadId, ...form });
      // Before everything else: an earlier publication has deleted the design, and changed the revision.
      const before = await publishing.published(fileId);
      if (before !== null) {
        await discardFiles(files, form.files);
        return before;
      }
      if (DesignId === undefined) {
        const [file] = form.files;
        return await publishing.publish(person, form.fields, file && { ...file, uploadId, fileId }, gone);
      }
      const marked = await markedWorkbooks.forPublishing(person, DesignId, Id, gone);
      form.files.push({ ...marked, head: Buffer.alloc(0) });
      const version = await publishing.publish(person, form.fields, { ...marked, uploadId, fileId }, gone);
      // The workbook is published, so an error here does not matter: a remaining design is deleted when it is old.
      await designs.delete(person, DesignId).catch(() => undefined);
      return version;
    } catch (error) {
      await discardAfter(files, keysOf(form.files), error);
      throw error;
    }
  });
  registerEndpoint(app, contract.uploadsAhead, ({ person, params }) => ({
    Ahead: inspecting.ahead(person, params.uploadId),
  }));
  registerEndpoint(app, inspectWorkbook, async ({ person, query, request, reply }) => {
    const gone = clientGone(reply);
    const form = await readMultipart(request, files, () => maxUploadBytes, tooLarge);
    try {
      const [workbook] = form.files;
      if (!workbook || form.files.length > 1) throw new AppError('oneFile', 400, 'File must be uploaded');
      return await inspecting.inspect(person, form.fields, { ...workbook, uploadId: query.UploadId }, gone);
    } finally {
      await discardFiles(files, form.files);
    }
  });
}
