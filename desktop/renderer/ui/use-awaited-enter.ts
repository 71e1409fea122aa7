import { useCallback, useEffect, useRef } from 'react';

/**
 * An Enter that comes before the answer to what is typed acts once the answer is there: who types fast does not wait for a list. Typing on gives
 * it up. Answers how to wait; that is false where such an Enter waits already.
 * @param text that is searched for
 * @param act what Enter does with the answer
 */
export function useAwaitedEnter(text: string | null, isAnswered: boolean, act: () => void): () => boolean {
  const latest = useRef({ text, act });
  const awaited = useRef<string | null>(null);
  useEffect(() => {
    latest.current = { text, act };
  });
  useEffect(() => {
    const isSame = awaited.current === text;
    if (awaited.current === null || (isSame && !isAnswered)) return;
    awaited.current = null;
    if (isSame) latest.current.act();
  }, [text, isAnswered]);
  return useCallback(() => {
    const { text: typed } = latest.current;
    if (awaited.current === typed) return false;
    awaited.current = typed;
    return true;
  }, []);
}
