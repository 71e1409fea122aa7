import { canHide } from '#server/base/confined-program.ts';
import type { Log } from '#server/base/log.ts';

/** Warns at the start which folders LibreOffice could read if the system does not allow hiding them. */
export function warnOfVisibleFolders(log: Pick<Log, 'warn'>, folders: readonly string[]): void {
  if (canHide(folders)) return;
  log.warn(
    `LibreOffice could read ${folders.join(', ')} and the secret.key in it: this system gives programs no user namespaces, so nothing is hidden ` +
      'from what opens the workbooks of strangers. Allow user namespaces, run the portal as a user of its own who may read little besides, or set ' +
      'RUNSHEET_LIBRE_OFFICE=off (docs/administration.md, "Where user namespaces are forbidden")',
  );
}
