import { useRef, type KeyboardEvent, type MouseEvent } from 'react';

/**
 * Returns the only suggestion that contains the typed text, ignoring case; null if none or several do, or if the text
 * already equals it.
 */
export function onlySuggestion(typed: string, suggestions: readonly string[]): string | null {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return null;
  const found = suggestions.filter((one) => one.toLowerCase().includes(wanted));
  return found.length === 1 && found[0] !== typed ? found[0]! : null;
}

/**
 * Makes a field with browser suggestions behave like other lists: the first click selects the text, and Enter accepts
 * the only remaining suggestion.
 */
export function useSuggestionKeys(value: string, suggestions: readonly string[], onChange: (value: string) => void) {
  const hadFocus = useRef(false);
  return {
    onMouseDown: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
      hadFocus.current = document.activeElement === currentTarget;
    },
    onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
      if (!hadFocus.current && currentTarget.selectionStart === currentTarget.selectionEnd) currentTarget.select();
    },
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      const only = event.key === 'Enter' && !event.ctrlKey ? onlySuggestion(value, suggestions) : null;
      if (only === null) return;
      // A second Enter submits the form.
      event.preventDefault();
      onChange(only);
    },
  };
}
