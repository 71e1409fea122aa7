import { useEffect, useState } from 'react';

/** As `isLoading`, but for so many milliseconds at most: what is there already must not wait for what may never come. */
export function useBriefly(isLoading: boolean, atMost: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), atMost);
    return () => clearTimeout(timer);
  }, [atMost]);
  return isLoading && !isOver;
}
