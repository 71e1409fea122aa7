/** Queues links and repeated program starts until the program is ready. */

/** @param path path of the portal; null for a start without a link */
type Open = (path: string | null) => void;

export interface CallsToOpen {
  take: Open;
  /** Processes requests from now on, queued requests first. */
  follow(open: Open): void;
}

export function createCallsToOpen(): CallsToOpen {
  const held: (string | null)[] = [];
  let open: Open = (path) => void held.push(path);
  return {
    take: (path) => open(path),
    follow: (next) => {
      open = next;
      // Starts without a link only bring the program to the front, which has already happened.
      const links = held.splice(0).filter((path) => path !== null);
      for (const path of links) open(path);
    },
  };
}
