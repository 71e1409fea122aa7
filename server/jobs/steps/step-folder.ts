/** Files of static folders for steps. */
import type { FoundFile, WantedFile } from '#server/executors/folder-files.ts';
import { StepRefused } from '#server/executors/step-services.ts';
import { FolderError, type StaticFolders } from '#server/folders/static-folders.ts';

/** Null where no file fits. Throws StepRefused with what keeps it from being read, in words for people. */
export async function readNewestFile(
  folders: StaticFolders,
  { folder, pattern }: WantedFile,
): Promise<FoundFile | null> {
  try {
    const found = await folders.newest(folder, pattern);
    if (!found) return null;
    const { FileName, ModifiedTime } = found;
    return { FileName, ModifiedTime: ModifiedTime.toISOString(), bytes: await found.read() };
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    throw new StepRefused(error.code === 'missing' ? 'LogicError' : 'Failed', error.message, { cause: error });
  }
}
