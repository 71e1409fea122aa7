import { useState } from 'react';

/** Whether it has ever been true: what was opened once stays, so that it can close as it should and give the focus back. */
export function useEver(isNow: boolean): boolean {
  const [was, setWas] = useState(isNow);
  if (isNow && !was) setWas(true);
  return was || isNow;
}
