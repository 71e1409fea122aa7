import { useCallback, useEffect, useRef } from 'react';
import { useNavigate, type NavigateOptions, type To } from 'react-router-dom';

/**
 * Like useNavigate, for navigation after a server response: does nothing if the user has left the page in the meantime.
 */
export function useNavigateWhileHere() {
  const navigate = useNavigate();
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return useCallback(
    async (to: To | number, options?: NavigateOptions): Promise<void> => {
      if (!isHere.current) return;
      await (typeof to === 'number' ? navigate(to) : navigate(to, options));
    },
    [navigate],
  );
}
