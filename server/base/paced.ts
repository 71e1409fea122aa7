export interface Paced {
  /** At once, or together with others that come within the time. */
  tell(): void;
  /** Tells what is still to be told, and keeps no timer. */
  stop(): void;
}

/** Calls `act` at once, and then again after so many milliseconds at the soonest, once for all that came meanwhile. */
export function createPaced(milliseconds: number, act: () => void): Paced {
  let timer: NodeJS.Timeout | undefined;
  let isDue = false;

  function actNow(): void {
    isDue = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue) actNow();
    }, milliseconds).unref();
    act();
  }

  return {
    tell: () => {
      if (timer) isDue = true;
      else actNow();
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      if (isDue) act();
      isDue = false;
    },
  };
}
