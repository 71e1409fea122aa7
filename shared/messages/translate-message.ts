/**
 * Translates complete English sentences, such as messages from the server with their values filled in, by finding the
 * text that they were generated from.
 */

/** Translations by their English texts. */
type Catalogue = Readonly<Record<string, string>>;

interface Pattern {
  /** Words before the first value and after the last: they alone distinguish most texts. */
  begin: string;
  end: string;
  expression: RegExp;
  names: readonly string[];
  /**
   * Which values are names given by users and must not be translated: an input 'Date' has this name in every language.
   */
  isData: readonly boolean[];
  translation: string;
}

const VALUE = /\{(\w+)\}/g;
const DATA =
  /name|input|output|column|header|title|field|table|activity|step|user|file|folder|label|schema|owner|person|key|connection|setting|text/i;
/** Maximum nesting of sentences within sentences: 'Network error: …'. */
const DEEPEST = 5;
/** Separates the messages of several cells: 'C2: Value must be a number. C3: … 2 more cells are not valid'. */
const NEXT_CELL = /(?<=\. )(?=[A-Z]{1,3}\d{1,7}: |\d+ more cells? )/;
/** Separates the messages of several inputs: 'Amount: Value must be a number; Day: Value must be specified'. */
const NEXT_INPUT = '; ';
/** A message with the rows it applies to: 'Value must be a number (rows 2, 5)'. */
const OF_ROWS = /^(.+) \((rows?) ([\d, …]+)\)$/s;
/**
 * A message about a named cell, input or step. It must have at least three words, because one or two words after a
 * colon may belong to the name.
 */
const NAMED = /^([^'":]{1,255}: )(\S+ \S+ \S.*)$/s;

/**
 * @param catalogue texts of the screens, for sentences and words without values
 * @param messages messages of the server and shared rules, whose values are extracted
 */
export function createSaying(catalogue: Catalogue, messages: Catalogue): (text: string) => string {
  const texts = new Map([...Object.entries(withoutHowToFix(messages)), ...Object.entries(catalogue)]);
  const patterns = Object.entries(withoutHowToFix(messages))
    .filter(([english]) => /\{\w+\}/.test(english) && !english.includes(', plural,') && !english.includes('<'))
    .map(([english, translation]) => toPattern(english, translation))
    // The most specific patterns, with the longest fixed text, are tried first.
    .sort((a, b) => b.weight - a.weight);
  const translate = (text: string, depth: number): string => {
    const known = texts.get(text);
    if (known !== undefined || depth === DEEPEST) return known ?? text;
    const list = depth === 0 ? null : knownList(text, texts);
    if (list !== null) return list;
    return (
      ofInputs(text, depth) ??
      ofRows(text, texts, (message) => translate(message, depth + 1)) ??
      byPattern(text, depth) ??
      ofCells(text, depth) ??
      named(text, depth) ??
      text
    );
  };
  const ofInputs = (text: string, depth: number): string | null => {
    const parts = text.split(NEXT_INPUT);
    if (parts.length === 1) return null;
    const own = parts.map((part) => named(part, depth));
    return own.every((piece) => piece !== null) ? own.join('; ') : null;
  };
  const ofCells = (text: string, depth: number): string | null => {
    const cells = text.split(NEXT_CELL);
    if (cells.length === 1) return null;
    return cells
      .map((cell) => (cell.endsWith('. ') ? cell.slice(0, -2) : cell))
      .map((cell) => translate(cell, depth + 1))
      .join('. ');
  };
  const byPattern = (text: string, depth: number): string | null => {
    for (const { begin, end, expression, names, isData, translation } of patterns) {
      if (!text.startsWith(begin) || !text.endsWith(end)) continue;
      const found = expression.exec(text);
      if (!found) continue;
      // A pattern that starts with a value would match too much.
      if (begin === '' && (ofCells(text, depth) ?? named(text, depth)) !== null) continue;
      const valueOf = (index: number): string =>
        isData[index] === true ? found[index + 1]! : translate(found[index + 1]!, depth + 1);
      const values = new Map(names.map((name, index) => [name, valueOf(index)]));
      return translation.replaceAll(VALUE, (whole, name: string) => values.get(name) ?? whole);
    }
    return null;
  };
  const named = (text: string, depth: number): string | null => {
    const [, name, sentence] = NAMED.exec(text) ?? [];
    if (name === undefined || sentence === undefined) return null;
    const own = translate(sentence, depth + 1);
    return own === sentence ? null : name + own;
  };
  return (text) => translate(text, 0);
}

/** How to fix a file: appended to the message, or shown beside it. */
const HOW_TO_FIX = / \{(?:saveAgain|copyAgain|removePassword)\}$/;

/** Returns the messages, plus versions without their text on how to fix the file. */
function withoutHowToFix(messages: Catalogue): Catalogue {
  const bare = Object.entries(messages).flatMap(([english, own]) =>
    HOW_TO_FIX.test(english) ? [[english.replace(HOW_TO_FIX, ''), own.replace(HOW_TO_FIX, '')]] : [],
  );
  return { ...Object.fromEntries(bare), ...messages };
}

/** `say` translates the message without its rows. */
function ofRows(text: string, texts: ReadonlyMap<string, string>, say: (message: string) => string): string | null {
  const [, message = '', word = '', rows = ''] = OF_ROWS.exec(text) ?? [];
  const frame = texts.get(`{message} (${word} {${word}})`);
  if (frame === undefined) return null;
  return frame.replaceAll(VALUE, (_, name: string) => (name === 'message' ? say(message) : rows));
}

/** Translates 'Monday, Tuesday and Friday' if each item has a translation. */
function knownList(text: string, texts: ReadonlyMap<string, string>): string | null {
  const parts = text.split(/(, | and )/);
  const own = parts.map((part, at) =>
    at % 2 === 0 ? texts.get(part) : part.replace('and', texts.get('and') ?? 'and'),
  );
  return own.length > 1 && own.every((piece) => piece !== undefined) ? own.join('') : null;
}

function toPattern(english: string, translation: string): Pattern & { weight: number } {
  const names = [...english.matchAll(VALUE)].map(([, name]) => name!);
  const words = english.split(/\{\w+\}/);
  const source = words.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('(.+?)');
  const [begin, end] = [words[0]!, words.at(-1)!];
  const isData = names.map((name, index) => DATA.test(name) || /['"]$/.test(words[index]!));
  return {
    begin,
    end,
    expression: new RegExp(`^${source}$`, 's'),
    names,
    isData,
    translation,
    weight: words.join('').length,
  };
}
