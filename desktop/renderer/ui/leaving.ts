/** Whether the page is being left because it has to: then nobody is asked. */
let mustLeave = false;

/** A session has ended: what is on the page must not stay on an unattended screen behind a question. */
export function leaveWithoutAsking(): void {
  mustLeave = true;
}

export const asksBeforeLeaving = (): boolean => !mustLeave;

let putAside: () => Promise<unknown> | null = () => null;

/** Who keeps the work of the page before it is loaded afresh; null where there is nothing to keep. */
export function beforeReload(keep: () => Promise<unknown> | null): void {
  putAside = keep;
}

/** Loads the page afresh, once all that was typed is put aside. */
export async function reloadKeepingWork(): Promise<void> {
  await putAside();
  leaveWithoutAsking();
  window.location.reload();
}
