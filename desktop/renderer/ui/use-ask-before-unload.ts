import { useEffect } from 'react';
import { asksBeforeLeaving } from './leaving.ts';

/** While `isUnsaved`, the browser asks before the page is closed or left for another site. */
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
