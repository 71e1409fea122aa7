/** Translates texts and formats of a region to those of Excel in English (United States), and back. */
import { dateNames } from '../number-format/date-names.ts';
import type { RegionalSettings } from './region.ts';
import { columnSeparator, currencySymbol, ENGLISH_LETTERS, UNITED_STATES } from './region.ts';

/*
 * In translated texts, '\ue000' stands for a point that is not a decimal separator, and '\ue001' for a character that
 * is no separator at all.
 */

const isSpace = (text: string): boolean => /^[\s\u00a0\u202f]$/.test(text);

/**
 * Translates a text that may be a number to English separators. A character that is not a separator in the region does
 * not become one in English either.
 */
export function englishNumber(text: string, region: RegionalSettings): string {
  const { decimal, group } = region;
  let plain = text;
  const symbol = currencySymbol(region.money[0]);
  if (symbol !== '$' && symbol !== '' && plain.includes(symbol)) {
    plain = plain.replace(symbol, '$').replace(/\u00a0/g, ' ');
  } else if (symbol !== '$') plain = plain.replaceAll('$', '\ue001');
  if (decimal === '.' && group === ',') return plain;
  if (isSpace(group)) plain = plain.replace(/(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))/g, '\ue000');
  let result = '';
  for (const letter of plain) {
    if (letter === decimal) result += '.';
    else if (letter === group || letter === '\ue000' || (group === '’' && letter === "'")) result += ',';
    else result += letter === '.' || letter === ',' ? '\ue001' : letter;
  }
  return result;
}

interface MonthWords {
  /** Lower-case month names of the region, with their English names. */
  readonly english: ReadonlyMap<string, string>;
}

const ENGLISH_MONTHS = dateNames(null).months;
const months = new Map<string, MonthWords>();

function monthWords({ id }: RegionalSettings): MonthWords {
  let words = months.get(id);
  if (!words) {
    const english = new Map<string, string>();
    const { months: own, shortMonths } = dateNames(id);
    // 'октября': after a day, many languages decline the name.
    const declined = new Intl.DateTimeFormat(id, { day: 'numeric', month: 'long', timeZone: 'UTC' });
    ENGLISH_MONTHS.forEach((name, month) => {
      const parts = declined.formatToParts(Date.UTC(2023, month, 1));
      const forms = [own[month]!, shortMonths[month]!, parts.find(({ type }) => type === 'month')?.value ?? ''];
      for (const form of forms) if (/^\p{L}{2,}/u.test(form)) english.set(form.toLowerCase(), name);
    });
    months.set(id, (words = { english }));
  }
  return words;
}

/** Returns the English name of a month, given its full or short name, or its beginning with at least three letters. */
function englishMonth(word: string, region: RegionalSettings): string {
  const { english } = monthWords(region);
  const lower = word.toLowerCase();
  const found = english.get(lower);
  if (found !== undefined) return found;
  if (lower.length >= 3) for (const [name, month] of english) if (name.startsWith(lower)) return month;
  return region.isEastAsian || region.id.startsWith('en-') ? word : `\ue001${word}`;
}

/**
 * Translates a text that may be a date or time to English names and separators; the order of day, month and year stays.
 */
export function englishDate(text: string, region: RegionalSettings): string {
  const { id, decimal, dateSeparator, isEastAsian } = region;
  if (id.startsWith('en-') && decimal === '.' && dateSeparator !== '.') return text;
  let result = text;
  if (isEastAsian) result = result.replace(/ ?[年月년월] ?(?=\d)/g, '/').replace(/[日일年月년월]/g, '');
  if (decimal !== '.') result = result.replaceAll('.', '\ue000').replace(/(?<=:\d{1,2}),(?=\d)/, '.');
  else if (dateSeparator === '.') result = result.replace(/^(\d{1,4})\.(\d{1,2})(?:\.|$)/, '$1\ue000$2\ue000');
  if (dateSeparator === '.') {
    result = result
      .replace(/^(\d{1,4})\ue000 ?(\d{1,2})\ue000 ?(\d{1,4})\ue000?(?!\S)/, '$1/$2/$3')
      .replace(/^(\d{1,2})\ue000 ?(\d{1,2}|\d{4})\ue000?(?!\S)/, '$1/$2')
      .replace(/^(\d{1,2})\ue000 ?(?=\p{L})/u, '$1 ');
  }
  if (id.startsWith('es-') || id.startsWith('pt-')) result = result.replace(/ de /gi, ' ');
  return result.replace(/\p{L}{3,}\ue000?/gu, (word) => englishMonth(word.replace('\ue000', ''), region));
}

/**
 * A format of TEXT in English, and the thousands separator: the region's separator, or the blank that was typed
 * instead.
 */
export interface LocalFormat {
  code: string;
  group: string;
}

/** The tokens of a format: quoted texts, escapes, brackets, AM/PM, exponents, and single characters. */
const FORMAT_TOKENS = /"[^"]*"?|[\\_*][^]|\[[^\]]*\]?|am\/pm|a\/p|[^]/giy;

export function englishFormat(code: string, region: RegionalSettings): LocalFormat {
  if (region === UNITED_STATES) return { code, group: ',' };
  const { general } = region.letters;
  const plain = general === 'General' ? code : code.replaceAll(new RegExp(escaped(general), 'gi'), 'General');
  const state = { group: region.group };
  const sections = sectionsOf(plain.match(FORMAT_TOKENS) ?? []);
  return { code: sections.map((section) => englishSection(section, region, state)).join(';'), group: state.group };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

function sectionsOf(tokens: readonly string[]): string[][] {
  const sections: string[][] = [[]];
  for (const token of tokens) {
    if (token === ';') sections.push([]);
    else sections.at(-1)!.push(token);
  }
  return sections;
}

function englishSection(tokens: readonly string[], region: RegionalSettings, state: { group: string }): string {
  const letters = englishLetters(region);
  const isGeneral = tokens.join('').includes('General');
  const isDate = !isGeneral && tokens.some((token) => /^[ymdhs]$/.test(letters.get(token.toLowerCase()) ?? ''));
  let result = '';
  tokens.forEach((token, at) => {
    if (token.length > 1) result += token.startsWith('[') ? englishBrackets(token, letters) : token;
    else if (isDate) result += dateCharacter(token, tokens[at + 1] ?? '', region, letters);
    else if (isGeneral && /[a-z]/i.test(token)) result += token;
    else result += numberCharacter(token, [tokens[at - 1] ?? '', tokens[at + 1] ?? ''], region, state);
  });
  return result;
}

/** Translates '[TT]' and similar; removes names of colors, which TEXT does not show. */
function englishBrackets(token: string, letters: ReadonlyMap<string, string>): string {
  const inside = token.slice(1, -1).toLowerCase();
  if (!/^\p{L}+$/u.test(inside)) return token;
  const unit = letters.get(inside[0]!) ?? '';
  const isSpan = /^[hms]$/.test(unit) && Array.from(inside).every((letter) => letter === inside[0]);
  return isSpan ? `[${unit.repeat(inside.length)}]` : '';
}

function dateCharacter(
  token: string,
  next: string,
  { decimal }: RegionalSettings,
  letters: ReadonlyMap<string, string>,
): string {
  if (token === decimal && next === '0') return '.';
  if (token === '.' || token === ',') return `\\${token}`;
  const letter = letters.get(token.toLowerCase());
  if (letter !== undefined) return letter;
  return /[ymdhs]/i.test(token) ? `\\${token}` : token;
}

function numberCharacter(
  token: string,
  [before, after]: [string, string],
  { decimal, group, letters }: RegionalSettings,
  state: { group: string },
): string {
  if (token === decimal) return '.';
  // After the last digit, the blank divides by a thousand, as the separator of any region does.
  if (isSpace(group) && isSpace(token) && /[0#?]/.test(before)) {
    if (/[0#?]/.test(after)) state.group = token;
    return ',';
  }
  if (token === group) return ',';
  const isForeign = letters !== ENGLISH_LETTERS && /[ymdhs]/i.test(token);
  return isForeign || token === '.' || token === ',' ? `\\${token}` : token;
}

const lettersOfRegions = new Map<string, ReadonlyMap<string, string>>();

/** Maps the region's letters to the English ones. East Asian letters for days and eras map to themselves. */
function englishLetters({ id, letters, isEastAsian }: RegionalSettings): ReadonlyMap<string, string> {
  let known = lettersOfRegions.get(id);
  if (!known) {
    const { year, month, day, hour, minute, second } = letters;
    const own = [year, 'y', month, 'm', day, 'd', hour, 'h', minute, 'm', second, 's'];
    const pairs: [string, string][] = [];
    for (let at = 0; at < own.length; at += 2) pairs.push([own[at]!, own[at + 1]!]);
    if (isEastAsian) pairs.push(['a', 'a'], ['e', 'e'], ['g', 'g']);
    lettersOfRegions.set(id, (known = new Map(pairs)));
  }
  return known;
}

/** The tokens of a formula: texts, quoted names, numbers, words, and single characters. */
const FORMULA_TOKENS =
  /"(?:[^"]|"")*"|'(?:[^']|'')*'|[\p{L}_$\\][\p{L}\d_.$\\]*|\d+(?:\.\d*)?(?:E[+-]?\d+)?|\.\d+|[^]/giuy;

/**
 * Returns an English formula as the region shows it, with its separators and its words for TRUE and FALSE. Names of
 * functions stay.
 */
export function localFormula(formula: string, region: RegionalSettings): string {
  const { decimal, list, truth } = region;
  if (list === ',' && decimal === '.' && truth[0] === 'TRUE') return formula;
  let braces = 0;
  return (formula.match(FORMULA_TOKENS) ?? [])
    .map((token, at) => {
      if (token === '{' && at > 0) braces += 1;
      else if (token === '}') braces -= 1;
      if (token === ',') return braces > 0 ? columnSeparator(region) : list;
      if (/^\.?\d/.test(token)) return token.replace('.', decimal);
      if (token === 'TRUE' || token === 'FALSE') return truth[token === 'TRUE' ? 0 : 1];
      return token;
    })
    .join('');
}
