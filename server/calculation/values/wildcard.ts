/** Patterns with '*', '?' and '~' as in Excel's criteria, lookups and SEARCH; case is always ignored. */

export const hasWildcards = (pattern: string): boolean => /[*?~]/.test(pattern);

interface Segment {
  /** In lower case; '\0' stands for any single character. */
  characters: string[];
}

/** Splits at '*', and removes each '~': the character after it stands for itself, whatever it is. */
function splitSegments(pattern: string): Segment[] {
  const found: Segment[] = [{ characters: [] }];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at]!;
    if (char === '~') {
      at += 1;
      if (at < pattern.length) found.at(-1)!.characters.push(pattern[at]!.toLowerCase());
    } else if (char === '*') found.push({ characters: [] });
    else found.at(-1)!.characters.push(char === '?' ? '\0' : char.toLowerCase());
  }
  return found;
}

function fits(text: string, at: number, { characters }: Segment): boolean {
  if (at < 0 || at + characters.length > text.length) return false;
  for (let index = 0; index < characters.length; index += 1) {
    const char = characters[index]!;
    if (char !== '\0' && char !== text[at + index]) return false;
  }
  return true;
}

/** Returns the first position from `from` on where the piece matches, or -1. */
function find(text: string, from: number, segment: Segment): number {
  for (let at = from; at + segment.characters.length <= text.length; at += 1) if (fits(text, at, segment)) return at;
  return -1;
}

/** Returns a test for whole texts. Time is at most proportional to text × pattern: there is no backtracking. */
export function wildcardTest(pattern: string): (text: string) => boolean {
  const parts = splitSegments(pattern);
  const first = parts[0]!;
  const last = parts.at(-1)!;
  const middle = parts.slice(1, -1);
  return (text) => {
    const lower = text.toLowerCase();
    if (parts.length === 1) return lower.length === first.characters.length && fits(lower, 0, first);
    if (!fits(lower, 0, first)) return false;
    const end = lower.length - last.characters.length;
    if (end < first.characters.length || !fits(lower, end, last)) return false;
    let at = first.characters.length;
    for (const segment of middle) {
      const found = find(lower, at, segment);
      if (found < 0) return false;
      at = found + segment.characters.length;
    }
    return at <= end;
  };
}

/** Returns where the pattern begins in a text, from `from` on (both 0-based); -1 if it is not found. Like SEARCH. */
export function wildcardSearch(pattern: string, text: string, from = 0): number {
  const lower = text.toLowerCase();
  const parts = splitSegments(pattern);
  const first = parts[0]!;
  for (let start = find(lower, from, first); start >= 0; start = find(lower, start + 1, first)) {
    let at = start + first.characters.length;
    const found = parts.slice(1).every((segment) => {
      const next = find(lower, at, segment);
      at = next + segment.characters.length;
      return next >= 0;
    });
    if (found) return start;
    // The remaining pieces were not found from here, so they cannot be found further right either.
    if (parts.length > 1) return -1;
  }
  return -1;
}

/** Returns the pattern as plain text, without its escapes. */
export const unescapeWildcards = (pattern: string): string => pattern.replace(/~(.?)/gs, '$1');
