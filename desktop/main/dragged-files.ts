/**
 * Files that a user drags out of a page: other programs read them from disk, where they stay while the program runs.
 * Each file has its own folder, which other users of the computer cannot access.
 */
import { randomBytes } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withPageKey } from '#bridge/page-key.ts';
import { fileName } from '#shared/codecs/file-name.ts';
import { documentFile } from '#shared/contract/documents.ts';
import { downloadFile } from '#shared/contract/files.ts';
import type { AccountPortal } from './account-portal.ts';
import { APP_ORIGIN } from './portal-protocol.ts';

export interface DraggedFiles {
  /**
   * Fetches a file of the portal and returns the id for dragging it; null if there is none. @param path path of a call
   * that returns a file for a token
   */
  fetch(portal: Pick<AccountPortal, 'handle' | 'openPage'>, path: string): Promise<string | null>;
  /** Returns null if the file was not fetched. */
  pathOf(id: string): string | null;
  /** Deletes all files, including those left behind by an earlier process. */
  clear(): void;
}

const CALLS = [downloadFile, documentFile].map(
  ({ path }) => new RegExp(`^${path.replace(':token', '[A-Za-z0-9_-]+')}$`),
);

export function createDraggedFiles(folder: string): DraggedFiles {
  const paths = new Map<string, string>();
  return {
    fetch: async (portal, path) => {
      if (!CALLS.some((call) => call.test(path))) return null;
      const response = await portal.handle(new Request(withPageKey(APP_ORIGIN + path, portal.openPage().key)));
      if (!response.ok || response.body === null) return null;
      const disposition = response.headers.get('content-disposition');
      // The server names every file; a page without a name comes from a proxy or a network that requires a sign-in.
      if (disposition === null) return null;
      const id = randomBytes(16).toString('hex');
      const own = join(folder, id);
      const file = join(own, fileName(disposition));
      await mkdir(own, { recursive: true, mode: 0o700 });
      try {
        await pipeline(Readable.fromWeb(response.body as never), createWriteStream(file, { mode: 0o600 }));
      } catch (error) {
        await rm(own, { recursive: true, force: true });
        throw error;
      }
      paths.set(id, file);
      return id;
    },
    pathOf: (id) => paths.get(id) ?? null,
    clear: () => {
      paths.clear();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
