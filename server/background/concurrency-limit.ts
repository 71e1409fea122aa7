/** Limits the number of concurrent tasks. Further tasks wait in order. */
export function createConcurrencyLimit(slots: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let taken = 0;

  async function enter(): Promise<void> {
    // A freed slot is handed directly to the next waiting task, so the count does not change.
    if (taken >= slots) await new Promise<void>((resolve) => waiting.push(resolve));
    else taken += 1;
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else taken -= 1;
  }

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
