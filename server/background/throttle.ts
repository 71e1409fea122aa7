export interface Throttle {
  /** Calls `act` immediately, or once at the end of the interval if others also request it. */
  request(): void;
  /** Performs a pending call and stops the timer. */
  stop(): void;
}

/** Throttle: calls `act` immediately, and then at most once per interval for all requests in it. */
export function createThrottle(milliseconds: number, act: () => void): Throttle {
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
    request: () => {
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
