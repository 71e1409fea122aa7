/** Lets so many pieces of work go on at the same time; the others wait in line. */
export function createConcurrencyLimit(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let taken = 0;

  async function enter(): Promise<void> {
    // A place that becomes free goes to the next in line without being counted anew.
    if (taken >= places) await new Promise<void>((resolve) => waiting.push(resolve));
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
