import { useState } from 'react';

/**
 * Returns whether the value has ever been true. A component that was opened once stays mounted, so that it can close
 * properly and restore the focus.
 */
export function useEverTrue(isNow: boolean): boolean {
  const [was, setWas] = useState(isNow);
  if (isNow && !was) setWas(true);
  return was || isNow;
}
