/** Saves files of a portal to the user's downloads folder under an unused name, and notifies when they are complete. */
import { existsSync } from 'node:fs';
import { join, parse } from 'node:path';
import { app, BrowserWindow, shell, type DownloadItem, type Session, type WebContents } from 'electron';
import { say } from './language.ts';
import type { Notifier } from './ports.ts';

export interface DownloadsEvents {
  onSaved: () => void;
  /** Called if the system cannot show the result of a download of this window. */
  onMissing: (contents: WebContents, title: string, name: string) => void;
}

export interface Downloads {
  watch(session: Session): void;
  /** Path of the last saved file that still exists; null if there is none. */
  last(): string | null;
  showLast: () => void;
}

export function createDownloads(notifier: Notifier, { onSaved, onMissing }: DownloadsEvents): Downloads {
  let last: string | null = null;
  const watched = new WeakSet<Session>();
  const under = new Set<string>();

  const take = (item: DownloadItem, contents: WebContents): void => {
    const window = BrowserWindow.fromWebContents(contents);
    const path = freePath(
      app.getPath('downloads'),
      item.getFilename(),
      (taken) => under.has(taken) || existsSync(taken),
    );
    under.add(path);
    item.setSavePath(path);
    item.on('updated', () => {
      const total = item.getTotalBytes();
      if (!window?.isDestroyed()) window?.setProgressBar(total > 0 ? item.getReceivedBytes() / total : 2);
    });
    item.once('done', (_event, state) => {
      under.delete(path);
      if (!window?.isDestroyed()) window?.setProgressBar(-1);
      const { base } = parse(path);
      if (state !== 'completed') {
        const title = say('Download failed');
        if (state === 'interrupted')
          notifier.show({ title, body: base, onClick: () => undefined }, () => onMissing(contents, title, base));
        return;
      }
      last = path;
      onSaved();
      const title = say('Downloaded');
      const body = say('{name}: click to show it', { name: base });
      notifier.show({ title, body, onClick: () => shell.showItemInFolder(path) }, () =>
        onMissing(contents, title, base),
      );
    });
  };
  return {
    watch: (session) => {
      if (watched.has(session)) return;
      watched.add(session);
      session.on('will-download', (_event, item, contents) => take(item, contents));
    },
    last: () => last,
    showLast: () => {
      if (last !== null) shell.showItemInFolder(last);
    },
  };
}

/** Returns 'Report.xlsx', or 'Report (1).xlsx' if that name is taken. */
function freePath(folder: string, name: string, isTaken: (path: string) => boolean): string {
  const { name: stem, ext } = parse(name);
  for (let number = 0; ; number += 1) {
    const path = join(folder, number === 0 ? stem + ext : `${stem} (${number})${ext}`);
    if (!isTaken(path)) return path;
  }
}
