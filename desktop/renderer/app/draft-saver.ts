/** Debounces storing a draft. Leaving the page or ending the session stores it immediately. */
export interface DraftSaver {
  changed(): void;
  /** Resolves after all changes are stored, including a save that was already in progress. */
  flush(): Promise<void>;
}

/** @param after debounce in milliseconds */
export function createDraftSaver(store: () => Promise<void>, after: number): DraftSaver {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay: Promise<void> = Promise.resolve();
  const save = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    underWay = store();
    return underWay;
  };
  return {
    changed: () => {
      clearTimeout(timer);
      timer = setTimeout(() => void save(), after);
    },
    // Wait for a save in progress: the page must not close while the draft is being encrypted.
    flush: () => (timer === undefined ? underWay : save()),
  };
}
