/** The order of texts as Intl.Collator has it, several times as fast where they are plain: tens of thousands of rows are put in order at once. */

/** Languages in which no letters of ASCII together count as one, or have a place of their own. */
const PLAIN_LANGUAGES = new Set(['en', 'de']);
const FIRST = 32;
const LAST = 126;
const PLAIN_TEXT = /^[ -~]*$/;

/** A text, with what takes its place in comparisons; null where the collator itself has to look. */
export interface OrderedText {
  text: string;
  key: string | null;
}

export interface TextOrder {
  /** Once for each text. */
  prepare: (text: string) => OrderedText;
  compare: (a: OrderedText, b: OrderedText) => number;
}

/** Compares as `new Intl.Collator(locale, { sensitivity: 'accent' })` does: letter case does not count. */
export function createTextOrder(locale: string): TextOrder {
  const { compare } = new Intl.Collator(locale, { sensitivity: 'accent' });
  const ranks = PLAIN_LANGUAGES.has(locale) ? ranksOf(compare) : null;
  return {
    prepare: (text) => ({ text, key: ranks && PLAIN_TEXT.test(text) ? keyBy(ranks, text) : null }),
    compare: ({ text, key }, other) => {
      if (key === null || other.key === null) return compare(text, other.text);
      return key < other.key ? -1 : key > other.key ? 1 : 0;
    },
  };
}

/** Of each plain character the one that stands for its place in the order; those that are equal have the same. */
function ranksOf(compare: (a: string, b: string) => number): number[] {
  const characters = Array.from({ length: LAST - FIRST + 1 }, (_, at) => String.fromCharCode(FIRST + at));
  const ranks: number[] = [];
  let rank = 0;
  let before: string | undefined;
  for (const character of characters.toSorted(compare)) {
    if (before === undefined || compare(before, character) !== 0) rank += 1;
    ranks[character.charCodeAt(0)] = rank;
    before = character;
  }
  return ranks;
}

function keyBy(ranks: readonly number[], text: string): string {
  const places: number[] = [];
  for (let at = 0; at < text.length; at += 1) places.push(ranks[text.charCodeAt(at)]!);
  return String.fromCharCode(...places);
}
