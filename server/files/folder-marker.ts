/**
 * The file that marks a folder as a file store. If a share is not mounted, its folder is empty or missing. Without the
 * marker, nothing is read or written there, so no file is written to the disk under the mount point and lost.
 */
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const MARKER = 'runsheet-files.txt';

const TEXT = `Runsheet stores files in this folder, and only while this file is here.
If this file is missing, Runsheet assumes that the disk or share of the folder is not mounted.
Do not delete it, and do not copy it to another folder.
`;

/** The folder has no marker. */
export class StoreFolderMissing extends Error {
  override readonly name = 'StoreFolderMissing';
  readonly code = 'StoreFolderMissing';

  constructor(folder: string, cause: unknown) {
    super(
      `${join(folder, MARKER)} cannot be found: mount the disk or share that holds ${folder}; if it is mounted, start the server again`,
      { cause },
    );
  }
}

/** Throws StoreFolderMissing, whatever prevents reading the marker. */
export async function requireMarker(folder: string): Promise<void> {
  await stat(join(folder, MARKER)).catch((cause: unknown) => {
    throw new StoreFolderMissing(folder, cause);
  });
}

export async function hasMarker(folder: string): Promise<boolean> {
  try {
    await requireMarker(folder);
    return true;
  } catch (error) {
    const { code = '' } = (error as StoreFolderMissing).cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

/** Marks an existing folder, unless it is already marked. */
export async function writeMarker(folder: string): Promise<void> {
  // If the marker exists, a full disk does not prevent a start.
  if (await hasMarker(folder)) return;
  await writeFile(join(folder, MARKER), TEXT, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    // Another server was faster.
    if (error.code !== 'EEXIST') throw error;
  });
}
