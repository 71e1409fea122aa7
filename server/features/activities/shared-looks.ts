/** Each call answers a look that began after it, and those who come meanwhile share one. */
export function sharedLooks<T>(look: () => Promise<T>): () => Promise<T> {
  let working: Promise<T> | undefined;
  let next: Promise<T> | undefined;

  function begin(): Promise<T> {
    const begun = look().finally(() => {
      if (working === begun) working = undefined;
    });
    working = begun;
    return begun;
  }

  return () => {
    if (!working) return begin();
    // What is under way may have begun too early for this caller.
    next ??= working.then(ignore, ignore).then(() => {
      next = undefined;
      return begin();
    });
    return next;
  };
}

const ignore = (): void => {};
