import { useEffect, useState } from 'react';
import { useAddressValues } from './use-address-values.ts';

const PAUSE_MS = 250;

/** Search text for a list. It is debounced and stored in the URL. */
export function useSearch(name = 'search'): { typed: string; setTyped: (text: string) => void; search: string } {
  const [values, change] = useAddressValues();
  const search = values.get(name) ?? '';
  const [typed, setTyped] = useState(search);
  useEffect(() => {
    if (typed === search) return undefined;
    const timer = setTimeout(() => {
      change((present) => {
        if (typed === '') present.delete(name);
        else present.set(name, typed);
        return present;
      });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, search, name, change]);
  return { typed, setTyped, search };
}
