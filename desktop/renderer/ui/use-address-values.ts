import { useCallback, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';

/**
 * Returns the current query values of the address, for event handlers: the values of the last render may be outdated.
 */
export const presentValues = (): URLSearchParams => new URLSearchParams(window.location.search);

type ChangeAddress = (change: (present: URLSearchParams) => URLSearchParams) => void;

/**
 * Returns the query values of the page's address, and a function to change them. `change` receives the values that are
 * in the address at that time. The router's values are those of the last render, so a change based on them would undo
 * every later change. It replaces the history entry. The identity of `change` is stable.
 */
export function useAddressValues(): [values: URLSearchParams, change: ChangeAddress] {
  const [values, setValues] = useSearchParams();
  const latest = useRef(setValues);
  useEffect(() => {
    latest.current = setValues;
  });
  const change = useCallback<ChangeAddress>((to) => {
    latest.current(to(presentValues()), { replace: true });
  }, []);
  return [values, change];
}
