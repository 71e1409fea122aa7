/** Links and further starts may come before the program is ready: they wait until it is. */

/** @param path of the portal; null for a start without a link */
type Open = (path: string | null) => void;

export interface CallsToOpen {
  take: Open;
  /** From now on they are followed, those that wait first. */
  follow(open: Open): void;
}

export function createCallsToOpen(): CallsToOpen {
  const held: (string | null)[] = [];
  let open: Open = (path) => void held.push(path);
  return {
    take: (path) => open(path),
    follow: (next) => {
      open = next;
      // A start that only wanted it to come forward has what it wanted.
      const links = held.splice(0).filter((path) => path !== null);
      for (const path of links) open(path);
    },
  };
}
