/** Handles uploads for inputs, for users and visitors alike. */
import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/base/app-error.ts';
import type { ActivitiesService } from '#server/features/activities/activities-service.ts';
import type { LinksService } from '#server/features/links/links-service.ts';
import { discardAfter } from '#server/files/discard-after.ts';
import type { FileStore } from '#server/files/file-store.ts';
import type { Person } from '#server/base/person.ts';
import { formatFileSize } from '#shared/codecs/file-size.ts';
import type { ResultOf } from '#shared/contract/endpoint.ts';
import type { uploadFiles } from '#shared/contract/files.ts';
import { contentIssue } from '#server/files/file-content.ts';
import type { FilesService } from './files-service.ts';
import { keysOf } from '#server/files/received-file.ts';
import { readMultipart } from '#server/http/read-multipart.ts';

export interface UploadDeps {
  files: FilesService;
  store: FileStore;
  activities: ActivitiesService;
  maxUploadBytes: number;
  links: Pick<LinksService, 'follow'>;
}

const FIELDS = ['ActivityInputId', 'LinkId'];

const isId = (id: number): boolean => Number.isSafeInteger(id) && id >= 1 && id < 2 ** 31;

/** If a form was opened through a link, it sends the link's id. The link must lead to the input's activity. */
async function checkLink(links: UploadDeps['links'], person: Person, sent: string, to: number): Promise<void> {
  const linkId = Number(sent);
  if (!isId(linkId)) throw new AppError('invalid_request', 400, 'LinkId must be the number of a linkage');
  const { link } = await links.follow(person, linkId);
  if (link.LinkedActivityId !== to) throw new AppError('linkNotFound', 404, 'There is no such linkage');
}

/** Stores the files of a multipart call for an input that the person may fill in. */
export type UploadHandler = (person: Person, request: FastifyRequest) => Promise<ResultOf<typeof uploadFiles>>;

export function createUploadHandler(deps: UploadDeps): UploadHandler {
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

  return async (person, request) => {
    const limit = async (fields: Readonly<Record<string, string>>) => (await inputOf(person, fields)).limit;
    const form = await readMultipart(request, store, limit, tooLarge);
    try {
      const { Id } = await inputOf(person, form.fields);
      if (form.files.length === 0) throw new AppError('fileMissing', 400, 'Please choose a file');
      for (const { FileName, head } of form.files) {
        const issue = contentIssue(FileName, head);
        if (issue !== null) throw new AppError('fileContent', 400, issue);
      }
      return { Items: await files.addUploads(person, Id, form.files) };
    } catch (error) {
      await discardAfter(store, keysOf(form.files), error);
      throw error;
    }
  };
}
