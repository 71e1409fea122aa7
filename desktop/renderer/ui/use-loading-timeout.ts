import { useEffect, useState } from 'react';

/**
 * Returns `isLoading`, but for at most the given milliseconds: content that is ready must not wait indefinitely for
 * something that may never arrive.
 */
export function useLoadingTimeout(isLoading: boolean, timeoutMs: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), timeoutMs);
    return () => clearTimeout(timer);
  }, [timeoutMs]);
  return isLoading && !isOver;
}
