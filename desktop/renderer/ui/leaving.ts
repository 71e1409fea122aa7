/** True if the page is being left forcibly: then the user is not asked. */
let mustLeave = false;

/** Used when a session has ended: the page's content must not remain on an unattended screen behind a question. */
export function leaveWithoutAsking(): void {
  mustLeave = true;
}

export const asksBeforeLeaving = (): boolean => !mustLeave;

let saveDrafts: () => Promise<unknown> | null = () => null;

/** Sets the function that stores unsaved work before a reload; it returns null if there is nothing to store. */
export function beforeReload(storeWork: () => Promise<unknown> | null): void {
  saveDrafts = storeWork;
}

/** Reloads the page after storing all unsaved input. */
export async function reloadAfterStoringWork(): Promise<void> {
  await saveDrafts();
  leaveWithoutAsking();
  window.location.reload();
}
