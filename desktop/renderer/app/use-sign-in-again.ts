import { useEffect, useRef, useState } from 'react';
import { signInAgain } from './sign-in-again.ts';

/** A sign-in in a separate window, abandoned when the component that requested it unmounts. */
export function useSignInAgainAt(ssoProvider: string | null) {
  const [isWaiting, setWaiting] = useState(false);
  const giveUp = useRef(new AbortController());
  useEffect(() => () => giveUp.current.abort(), []);

  const cancel = (): void => giveUp.current.abort();
  /** Returns the token; null if the user gave up. Rejects if the provider cannot be reached. */
  const signIn = async (): Promise<string | null> => {
    giveUp.current.abort();
    giveUp.current = new AbortController();
    const { signal } = giveUp.current;
    setWaiting(true);
    try {
      return await signInAgain(ssoProvider ?? '', signal);
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    } finally {
      if (giveUp.current.signal === signal) setWaiting(false);
    }
  };
  return { isWaiting, signIn, cancel };
}
