import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';

const PAUSE_MS = 250;

/**
 * Those of the address as it is. What the router gives is of the last time that something was drawn: whoever changes that would undo a change
 * that came since.
 */
export const presentParams = (): URLSearchParams => new URLSearchParams(window.location.search);

/** Words to search a list by, kept in the URL once the person has stopped typing for a moment. */
export function useSearch(name = 'search'): { typed: string; setTyped: (text: string) => void; search: string } {
  const [params, setParams] = useSearchParams();
  const search = params.get(name) ?? '';
  const [typed, setTyped] = useState(search);
  useEffect(() => {
    if (typed === search) return undefined;
    const timer = setTimeout(() => {
      const next = presentParams();
      if (typed === '') next.delete(name);
      else next.set(name, typed);
      setParams(next, { replace: true });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, search, name, setParams]);
  return { typed, setTyped, search };
}
