import { useEffect, useState } from 'react';

const LONGEST_MS = 1000;

/** As `isLoading`, but for a second at most: what is there already must not wait for what may never come. */
export function useBriefly(isLoading: boolean): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), LONGEST_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLoading && !isOver;
}
