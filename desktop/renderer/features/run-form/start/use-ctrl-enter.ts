import { useEffect } from 'react';
import { FORM_KEYS } from '#renderer/ui/key-groups.ts';
import { useKeys } from '#renderer/ui/page-keys.ts';

/** Ctrl+Enter works wherever the focus is on the page, except in dialogs and if something else has handled the key. */
export function useCtrlEnter(act: (() => void) | null): void {
  useKeys(act ? FORM_KEYS : null);
  useEffect(() => {
    if (!act) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest('[role="dialog"], .bp6-overlay-content')) return;
      if (document.querySelector('.bp6-dialog, .rs-palette')) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [act]);
}
