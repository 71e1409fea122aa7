import { useCallback, useEffect, useRef } from 'react';

/**
 * Defers an Enter that is pressed before the results for the typed text have arrived, so that fast typists do not have
 * to wait. Further typing discards it. Returns a function that registers such an Enter; it returns false if one is
 * already pending.
 * @param text the searched text
 * @param act action of Enter on the results
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
