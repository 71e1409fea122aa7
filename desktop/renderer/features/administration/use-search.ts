import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';

const PAUSE_MS = 250;

/** Words to search a list by, kept in the URL once the person has stopped typing for a moment. */
export function useSearch(name = 'search'): { typed: string; setTyped: (text: string) => void; search: string } {
  const [params, setParams] = useSearchParams();
  const search = params.get(name) ?? '';
  const [typed, setTyped] = useState(search);
  useEffect(() => {
    if (typed === search) return undefined;
    const timer = setTimeout(() => {
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          if (typed === '') next.delete(name);
          else next.set(name, typed);
          return next;
        },
        { replace: true },
      );
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, search, name, setParams]);
  return { typed, setTyped, search };
}
