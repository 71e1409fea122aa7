import { useRef, type KeyboardEvent, type MouseEvent } from 'react';

/** The one suggestion that contains what is typed, whatever its case; null where none or several do, or it is there already. */
export function onlySuggestion(typed: string, suggestions: readonly string[]): string | null {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return null;
  const found = suggestions.filter((one) => one.toLowerCase().includes(wanted));
  return found.length === 1 && found[0] !== typed ? found[0]! : null;
}

/** How a field with suggestions of the browser behaves, as other lists: a first click selects the text, and Enter takes the one suggestion that is left. */
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
      // Another Enter sends the form.
      event.preventDefault();
      onChange(only);
    },
  };
}
