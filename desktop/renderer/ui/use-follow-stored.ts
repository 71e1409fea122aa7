import { useState } from 'react';

/**
 * Updates a form to the stored value as long as the user has not changed it. If they have, a late response, such as
 * that to their own save, must not undo later changes.
 * @param typed the value that the form would save
 * @param adopt shows the stored value
 */
export function useFollowStored<T>(stored: T, typed: T, adopt: (stored: T) => void): void {
  const now = JSON.stringify(stored);
  const [base, setBase] = useState(now);
  if (now === base) return;
  setBase(now);
  if (JSON.stringify(typed) === base) adopt(stored);
}
