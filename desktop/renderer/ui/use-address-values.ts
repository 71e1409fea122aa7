import { useCallback, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';

/** The query values as they are in the address now, for what a click does: the values last drawn may be those before the last change. */
export const presentValues = (): URLSearchParams => new URLSearchParams(window.location.search);

type ChangeAddress = (change: (present: URLSearchParams) => URLSearchParams) => void;

/**
 * The query values in the address of the page, and how to change them. `change` gets the values as they are in the address now. Those of the router
 * are the values last drawn, so a change that starts from them undoes every change since.
 * The history entry is replaced. `change` stays the same function.
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
