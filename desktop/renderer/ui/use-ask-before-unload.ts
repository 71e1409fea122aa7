import { useEffect } from 'react';
import { asksBeforeLeaving } from './leaving.ts';

/** While `isUnsaved`, the browser asks before it leaves the page for another site or closes it. */
export function useAskBeforeUnload(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const onBeforeUnload = (event: BeforeUnloadEvent): void => {
      if (asksBeforeLeaving()) event.preventDefault();
    };
    window.addEventListener('beforeunload', onBeforeUnload);
    return () => window.removeEventListener('beforeunload', onBeforeUnload);
  }, [isUnsaved]);
}
