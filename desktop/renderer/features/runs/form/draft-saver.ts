/** When a draft is stored: a moment after the last change, and at once where the page or the session goes. */
export interface DraftSaver {
  changed(): void;
  /** Resolves once all that has changed is stored, also where storing it had begun before. */
  flush(): Promise<void>;
}

/** @param after milliseconds */
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
    // The page must not go while it is still being encrypted.
    flush: () => (timer === undefined ? underWay : save()),
  };
}
