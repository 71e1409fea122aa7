/** The file of an upload, and whose turn its inspection takes. */
import type { InspectedFile } from '#server/executors/executor.ts';
import type { ReceivedFile } from '#server/features/files/read-multipart.ts';

export interface UploadedWorkbook extends ReceivedFile {
  /** How the page of the upload calls it, to ask what it waits for. */
  uploadId?: string | undefined;
}

type Uploader = Readonly<{ UserId: number }>;

/** With whose other uploads an inspection takes turns. */
export const ownerOf = ({ UserId }: Uploader): string => String(UserId);

export const turnOf = (
  person: Uploader,
  { uploadId }: Pick<UploadedWorkbook, 'uploadId'>,
): Pick<InspectedFile, 'owner' | 'uploadId'> => ({
  owner: ownerOf(person),
  ...(uploadId !== undefined && { uploadId }),
});
