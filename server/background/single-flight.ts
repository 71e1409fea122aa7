/**
 * Wraps a read as single-flight: each call gets the result of a read that began after the call. Calls that arrive
 * during a read share the next one.
 */
export function createSingleFlight<T>(read: () => Promise<T>): () => Promise<T> {
  let working: Promise<T> | undefined;
  let next: Promise<T> | undefined;

  function begin(): Promise<T> {
    const started = read().finally(() => {
      if (working === started) working = undefined;
    });
    working = started;
    return started;
  }

  return () => {
    if (!working) return begin();
    // The read in flight may have begun too early for this caller.
    next ??= working.then(ignore, ignore).then(() => {
      next = undefined;
      return begin();
    });
    return next;
  };
}

const ignore = (): void => {};
