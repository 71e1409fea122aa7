/** The files that steps read from folders of the server. Plain data: it crosses a thread's border. */

export interface WantedFile {
  /** Name of a static folder. */
  folder: string;
  /** Which names fit: '*' stands for any characters, '?' for one. */
  pattern: string;
}

export interface FoundFile {
  FileName: string;
  /** When it was changed last, ISO 8601. */
  ModifiedTime: string;
  bytes: Uint8Array;
}

export interface FolderFiles {
  /** Of the files that fit, the one that was changed last; null where there is none. Throws StepRefused. */
  newestFile(wanted: WantedFile): Promise<FoundFile | null>;
}
