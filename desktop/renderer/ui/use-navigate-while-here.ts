import { useCallback, useEffect, useRef } from 'react';
import { useNavigate, type NavigateOptions, type To } from 'react-router-dom';

/**
 * Like useNavigate, for what an answer of the server leads to: whoever has left the page before it came is not taken away from where they
 * are then.
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
