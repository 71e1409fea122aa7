import { useState } from 'react';

/**
 * A form shows what is stored as long as nobody has typed into it. Where somebody has, an answer that comes late, such as that to their own save, must not
 * undo what they typed since.
 * @param typed what the form would save
 * @param adopt shows what is stored now
 */
export function useFollowStored<T>(stored: T, typed: T, adopt: (stored: T) => void): void {
  const now = JSON.stringify(stored);
  const [base, setBase] = useState(now);
  if (now === base) return;
  setBase(now);
  if (JSON.stringify(typed) === base) adopt(stored);
}
