import type { FastifyInstance } from 'fastify';
import { AppError } from '#server/app-error.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { LinksService } from '#server/features/links/links-service.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { StaticFolders } from '#server/folders/static-folders.ts';
import { registerEndpoint, registerPublicEndpoint } from '#server/http/register-endpoint.ts';
import type { Person } from '#server/person.ts';
import { formatFileSize } from '#shared/codecs/file-size.ts';
import { downloadFile, listStaticFolders, uploadFiles } from '#shared/contract/files.ts';
import type { FilesService } from './files-service.ts';
import { discardFiles, readMultipart } from './read-multipart.ts';
import { sendDownload } from './send-download.ts';

export interface FilesRoutesDeps {
  files: FilesService;
  store: FileStore;
  activities: ActivitiesService;
  maxUploadBytes: number;
  folders: Pick<StaticFolders, 'names'>;
  links: Pick<LinksService, 'follow'>;
}

const FIELDS = ['ActivityInputId', 'LinkId'];

export function registerFilesRoutes(app: FastifyInstance, deps: FilesRoutesDeps): void {
  const { files } = deps;
  registerUpload(app, deps);
  registerEndpoint(app, listStaticFolders, async () => ({
    Items: deps.folders.names.map((Name) => ({ FolderKey: Name, Name })),
  }));
  registerPublicEndpoint(app, downloadFile, ({ params, reply }) => sendDownload(files, params.token, reply));
}

const isId = (id: number): boolean => Number.isSafeInteger(id) && id >= 1 && id < 2 ** 31;

/** A form that was opened by a link says by which: it has to lead to the activity of the input. */
async function checkLink(links: FilesRoutesDeps['links'], person: Person, sent: string, to: number): Promise<void> {
  const linkId = Number(sent);
  if (!isId(linkId)) throw new AppError('invalid_request', 400, 'LinkId must be the number of a linkage');
  const { link } = await links.follow(person, linkId);
  if (link.LinkedActivityId !== to) throw new AppError('linkNotFound', 404, 'There is no such linkage');
}

function registerUpload(app: FastifyInstance, deps: FilesRoutesDeps): void {
  const { files, store, activities, maxUploadBytes, links } = deps;
  const tooLarge = (limit: number): AppError =>
    new AppError('fileTooLarge', 413, `Size of the input file exceeds the limit of ${formatFileSize(limit)}`);

  async function inputOf(
    person: Person,
    fields: Readonly<Record<string, string>>,
  ): Promise<{ Id: number; limit: number }> {
    const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name));
    if (unknown !== undefined) throw new AppError('invalid_request', 400, `${unknown} is not a known field`);
    const id = Number(fields['ActivityInputId']);
    if (!isId(id)) {
      throw new AppError('invalid_request', 400, 'ActivityInputId must be sent before the files');
    }
    const { Id, Info, ActivityId } = await activities.fileInput(person, id);
    if (fields['LinkId']) await checkLink(links, person, fields['LinkId'], ActivityId);
    return { Id, limit: Math.min(Info.MaxSize[0] ?? maxUploadBytes, maxUploadBytes) };
  }

  registerEndpoint(app, uploadFiles, async ({ person, request }) => {
    const limit = async (fields: Readonly<Record<string, string>>) => (await inputOf(person, fields)).limit;
    const form = await readMultipart(request, store, limit, tooLarge);
    try {
      const { Id } = await inputOf(person, form.fields);
      if (form.files.length === 0) throw new AppError('fileMissing', 400, 'Please choose a file');
      return { Items: await files.addUploads(person, Id, form.files) };
    } catch (error) {
      await discardFiles(store, form.files);
      throw error;
    }
  });
}
