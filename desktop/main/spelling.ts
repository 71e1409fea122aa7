/**
 * Whether spelling is checked, and where its dictionaries come from. macOS has its own; elsewhere Chromium fetches
 * them, so checking is off until the user turns it on.
 */
import type { Policy } from './policy.ts';

export interface Spelling {
  isOn: boolean;
  /** True if the user can choose. */
  isOffered: boolean;
  /** The folder of the company's dictionaries, ending with '/'; null for Chromium's default. */
  dictionaries: string | null;
}

export const NO_SPELLING: Spelling = { isOn: false, isOffered: false, dictionaries: null };

/** @param chosen undefined if the user has not chosen */
export function spellingOf(
  platform: NodeJS.Platform,
  { dictionaries }: Pick<Policy, 'dictionaries'>,
  chosen: boolean | undefined,
): Spelling {
  if (platform === 'darwin') return { ...NO_SPELLING, isOn: true };
  if (dictionaries === 'none') return NO_SPELLING;
  // Dictionaries provided by the company need no consent.
  if (dictionaries !== undefined) return { isOn: chosen ?? true, isOffered: true, dictionaries };
  return { isOn: chosen ?? false, isOffered: true, dictionaries: null };
}

/**
 * Returns the available dictionaries for the user's languages. @param wanted the system's languages, in order of
 * preference
 */
export function dictionariesFor(wanted: readonly string[], available: readonly string[]): string[] {
  const primary = (tag: string): string => tag.split('-')[0]!.toLowerCase();
  const found = wanted.flatMap(
    (tag) =>
      available.find((one) => one.toLowerCase() === tag.toLowerCase()) ??
      available.find((one) => primary(one) === primary(tag)) ??
      [],
  );
  return found.length > 0 ? [...new Set(found)] : available.filter((one) => one === 'en-US');
}
