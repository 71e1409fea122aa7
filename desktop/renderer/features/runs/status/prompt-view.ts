/** Which question of a run is asked, and for how long. Source: specification of activities, section 4. */
import type { LogEntry, LogPrompt } from '#shared/contract/run-status.ts';

export interface OpenQuestion extends LogPrompt {
  message: string;
}

/** Returns the newest question that can still be answered, except those answered here; null if there is none. */
export function openQuestion(
  entries: readonly LogEntry[],
  answered: ReadonlySet<string>,
  now: number,
): OpenQuestion | null {
  for (const { prompt, displayMessage, Message } of entries.toReversed()) {
    if (!prompt || answered.has(prompt.key) || secondsLeft(prompt, now) === 0) continue;
    return { ...prompt, message: displayMessage || Message };
  }
  return null;
}

/** Returns whole seconds; 0 if the time is over. */
export const secondsLeft = ({ expiry }: Pick<LogPrompt, 'expiry'>, now: number): number =>
  Math.max(0, Math.ceil((Date.parse(expiry) - now) / 1000));

/** Returns '1:05' or '2:00:00', like a countdown. */
export function timeLeftText(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
