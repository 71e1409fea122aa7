/**
 * Prepares texts of people for a PDF file. Its font has Latin, Greek and Cyrillic letters. Other characters would become
 * blanks or boxes, so they are replaced and counted, and the document says so.
 */
import { MAX_CHARACTERS, ReportTooLargeError } from './report-limits.ts';

/** Stands for a character that the font does not have. */
export const REPLACEMENT = '\ufffd';

/** Writing-direction marks, joiners, variation selectors and soft hyphens: nothing of them is visible. */
const INVISIBLE = /[\ufe00-\ufe0f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g;
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g;
/** Spaces that do not break, such as the thousands separator of France, and other spaces. */
const FIRM_SPACES = /[\u2007\u202f]/g;
const OTHER_SPACES = /[\u2000-\u2006\u2008-\u200a\u205f\u3000]/g;

/**
 * Longer words are broken into lines of this length. pdfmake breaks words that are wider than their column, but
 * measures their whole rest for each line.
 */
const MAX_WORD_LENGTH = 100;
const LONG_WORD = new RegExp(`\\S{${MAX_WORD_LENGTH + 1},}`, 'gu');

export interface ShownCharacters {
  /**
   * Returns the text with its replaced characters, ready for the layout. Throws a ReportTooLargeError if all texts
   * together are too long.
   */
  of(text: string): string;
  /** Number of characters replaced so far. */
  readonly replaced: number;
}

/** @param known code points that the font has */
export function createShownCharacters(known: ReadonlySet<number>): ShownCharacters {
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
  const isKnown = (text: string): boolean => {
    for (const character of text) if (!known.has(character.codePointAt(0)!) && character !== '\n') return false;
    return true;
  };
  let replaced = 0;
  let length = 0;
  const replace = (text: string): string => {
    let shown = '';
    // What people see as one character is replaced by one, whatever the number of its code points.
    for (const { segment } of graphemes.segment(text)) {
      const isShown = isKnown(segment);
      if (!isShown) replaced += 1;
      shown += isShown ? segment : REPLACEMENT;
    }
    return shown;
  };
  return {
    of: (text) => {
      length += text.length;
      if (length > MAX_CHARACTERS) throw new ReportTooLargeError();
      const plain = plainText(text);
      return breakable(isKnown(plain) ? plain : replace(plain));
    },
    get replaced() {
      return replaced;
    },
  };
}

const plainText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(LINE_ENDS, '\n')
    .replaceAll('\t', '    ')
    .replace(FIRM_SPACES, '\u00a0')
    .replace(OTHER_SPACES, ' ')
    .replace(INVISIBLE, '');

const breakable = (text: string): string =>
  text.replace(LONG_WORD, (word) => {
    const characters = Array.from(word);
    const pieces = Array.from({ length: Math.ceil(characters.length / MAX_WORD_LENGTH) }, (_, index) =>
      characters.slice(index * MAX_WORD_LENGTH, (index + 1) * MAX_WORD_LENGTH).join(''),
    );
    return pieces.join('\n');
  });
