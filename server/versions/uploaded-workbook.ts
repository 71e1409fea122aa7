/** The file of an upload, and its place in the fair queue of inspections. */
import type { InspectedFile } from '#server/executors/executor.ts';
import type { ReceivedFile } from '#server/files/received-file.ts';

export interface UploadedWorkbook extends ReceivedFile {
  /** Key of the upload, chosen by the page, with which the page asks for the uploads ahead of it. */
  uploadId?: string | undefined;
  /** Id that its stored file gets; a random one if absent. See fileIdOfUpload. */
  fileId?: string | undefined;
}

type Uploader = Readonly<{ UserId: number }>;

/** Identifies the uploader, for fair queueing across users. */
export const ownerOf = ({ UserId }: Uploader): string => String(UserId);

export const fairShareOf = (
  person: Uploader,
  { uploadId }: Pick<UploadedWorkbook, 'uploadId'>,
): Pick<InspectedFile, 'owner' | 'uploadId'> => ({
  owner: ownerOf(person),
  ...(uploadId !== undefined && { uploadId }),
});
