/**
 * Access to files that steps read from folders of the server. Contains plain data only, because it crosses a thread
 * boundary.
 */

export interface WantedFile {
  /** Name of a static folder. */
  folder: string;
  /** File name pattern: '*' matches any characters, '?' matches one. */
  pattern: string;
}

export interface FoundFile {
  FileName: string;
  /** Last modification time, ISO 8601. */
  ModifiedTime: string;
  bytes: Uint8Array;
}

export interface FolderFiles {
  /** Returns the most recently modified file that matches; null if no file matches. Throws StepRefused. */
  newestFile(wanted: WantedFile): Promise<FoundFile | null>;
}
