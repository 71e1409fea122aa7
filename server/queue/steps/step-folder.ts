/** Reads files of static folders for steps. */
import type { FoundFile, WantedFile } from '#server/executors/folder-files.ts';
import { StepRefused } from '#server/executors/step-services.ts';
import { FolderError, type StaticFolders } from '#server/folders/static-folders.ts';

/** Returns null if no file matches. Throws StepRefused with a message for people if the file cannot be read. */
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
