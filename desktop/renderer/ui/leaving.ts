/** Whether the page is being left because it has to: then nobody is asked. */
let mustLeave = false;

/** A session has ended: what is on the page must not stay on an unattended screen behind a question. */
export function leaveWithoutAsking(): void {
  mustLeave = true;
}

export const asksBeforeLeaving = (): boolean => !mustLeave;
