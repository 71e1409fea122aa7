/** Whether spelling is checked, and where its dictionaries come from. macOS has its own; elsewhere Chromium fetches them, and so nothing is checked before somebody wants that. */
import type { Policy } from './policy.ts';

export interface Spelling {
  isOn: boolean;
  /** Whether the person decides. */
  isOffered: boolean;
  /** The folder of the company's dictionaries, ends with '/'; null for the one that Chromium knows. */
  dictionaries: string | null;
}

export const NO_SPELLING: Spelling = { isOn: false, isOffered: false, dictionaries: null };

/** @param chosen undefined where the person has not chosen */
export function spellingOf(
  platform: NodeJS.Platform,
  { dictionaries }: Pick<Policy, 'dictionaries'>,
  chosen: boolean | undefined,
): Spelling {
  if (platform === 'darwin') return { ...NO_SPELLING, isOn: true };
  if (dictionaries === 'none') return NO_SPELLING;
  // What the company offers costs nobody anything.
  if (dictionaries !== undefined) return { isOn: chosen ?? true, isOffered: true, dictionaries };
  return { isOn: chosen ?? false, isOffered: true, dictionaries: null };
}

/** Dictionaries of the person's languages, as far as there are any. @param wanted by the system, the first one most */
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
