/**
 * Number formats of TEXT. A code is compiled once per region into its sections and cached. Source: ECMA-376 part 1,
 * 18.8.30 and 18.8.31.
 */
import { englishFormat } from '../region/local-text.ts';
import { currentRegion } from '../region/region.ts';
import { compileDate, type DateFormat } from './date-section.ts';
import { compileFraction } from './fraction-section.ts';
import { generalText } from './general.ts';
import { compileNumber, type NumberMarks, type SectionFormat } from './number-section.ts';
import {
  showsText,
  splitSections,
  tokenizeSection,
  type Condition,
  type FormatToken,
  type TokenSection,
} from './tokens.ts';

export interface NumberFormat {
  /** Returns a number as displayed; null if the format cannot show it (#VALUE! in TEXT). */
  number(value: number, date1904: boolean): string | null;
  text(value: string): string;
  /** True if numbers are shown as dates or times. */
  readonly isDate: boolean;
}

interface Section {
  condition: Condition | null;
  /** True if all numbers of this section are negative: the section itself determines how the sign looks. */
  isUnsigned: boolean;
  number: SectionFormat | null;
  date: DateFormat | null;
}

/**
 * Maximum number of cached formats. Few are in use; a formula that generates ever new ones must not fill the memory.
 */
const MAX_CACHED_FORMATS = 1000;
const compiledFormats = new Map<string, NumberFormat | null>();
/** The region of the cached formats; it rarely changes. */
let compiledFor = currentRegion();

/** Returns the format of a code in the current region, or null if Excel would refuse the code. */
export function numberFormat(code: string): NumberFormat | null {
  if (compiledFor !== currentRegion()) {
    compiledFormats.clear();
    compiledFor = currentRegion();
  }
  let format = compiledFormats.get(code);
  if (format === undefined) {
    format = compile(code);
    if (compiledFormats.size >= MAX_CACHED_FORMATS) compiledFormats.clear();
    compiledFormats.set(code, format);
  }
  return format;
}

const SYSTEM_DATE = { mdy: 'dddd, mmmm d, yyyy', dmy: 'dddd, d mmmm yyyy', ymd: 'yyyy-mm-dd' };
const SYSTEM_TIME = 'h:mm:ss AM/PM';

function compile(code: string): NumberFormat | null {
  // The computer's own long date and time format: the text after the tag is only a sample.
  const { decimal, dayOrder, groupsInTwos } = currentRegion();
  if (/\[\$-(?:F800|x-sysdate)/i.test(code)) return compileEnglish(SYSTEM_DATE[dayOrder], ENGLISH_MARKS);
  if (/\[\$-(?:F400|x-systime)/i.test(code)) return compileEnglish(SYSTEM_TIME, ENGLISH_MARKS);
  const { code: english, group } = englishFormat(code, currentRegion());
  return compileEnglish(english, { decimal, group, groupsInTwos });
}

const ENGLISH_MARKS: NumberMarks = { decimal: '.', group: ',', groupsInTwos: false };

/** `code` is in English notation; `marks` are the separators used for numbers. */
function compileEnglish(code: string, marks: NumberMarks): NumberFormat | null {
  const parts: TokenSection[] = [];
  for (const part of splitSections(code)) {
    const section = tokenizeSection(part);
    if (!section) return null;
    parts.push(section);
  }
  if (parts.length > 4 || parts.slice(0, -1).some(showsText)) return null;
  const last = parts.at(-1)!;
  const textPart = parts.length === 4 || showsText(last) ? last : null;
  // A single '@' also applies to numbers.
  const numberParts = textPart && parts.length > 1 ? parts.slice(0, -1) : parts;
  const sections = numberParts.map((part) => compileSection(part, marks));
  if (sections.some((section) => section === null)) return null;
  return createFormat(withConditions(sections as Section[], marks), textPart);
}

function compileSection({ tokens, condition, locale }: TokenSection, marks: NumberMarks): Section | null {
  const section: Section = { condition, isUnsigned: false, number: null, date: null };
  const has = (type: FormatToken['type']): boolean => tokens.some((token) => token.type === type);
  if (has('general') || has('text')) section.number = compileGeneral(tokens, marks);
  else if (has('date') || has('elapsed') || has('half')) {
    section.date = startsWithPoint(tokens) ? null : compileDate(tokens, locale);
  } else if (has('slash') && has('digit')) section.number = compileFraction(tokens);
  else
    section.number = compileNumber(
      tokens.map((token) => (token.type === 'slash' ? SLASH : token)),
      marks,
    );
  return section.number || section.date ? section : null;
}

/**
 * A point before the first date part belongs to a number, which cannot be combined with a date: 'x.hh' is not a valid
 * format.
 */
function startsWithPoint(tokens: readonly FormatToken[]): boolean {
  const first = tokens.findIndex(({ type }) => type === 'date' || type === 'elapsed' || type === 'half');
  return tokens.slice(0, first).some(({ type }) => type === 'point');
}

const SLASH: FormatToken = { type: 'literal', text: '/' };

/** Compiles 'General', or '@' for a number, between literals. */
function compileGeneral(tokens: readonly FormatToken[], { decimal }: NumberMarks): SectionFormat | null {
  const parts: (string | null)[] = [];
  for (const token of tokens) {
    if (token.type === 'general' || token.type === 'text') parts.push(null);
    else if (token.type === 'literal' || token.type === 'whole') parts.push(token.text);
    else if (token.type === 'percent') parts.push('%');
    else if (token.type === 'point' || token.type === 'comma') parts.push(token.type === 'point' ? '.' : ',');
    else return null;
  }
  return (magnitude, negative) => {
    const english = generalText(magnitude);
    const number = decimal === '.' ? english : english.replace('.', decimal);
    const text = parts.map((part) => part ?? number).join('');
    return negative ? `-${text}` : text;
  };
}

const holds = ({ operator, limit }: Condition, value: number): boolean => {
  switch (operator) {
    case '<':
      return value < limit;
    case '<=':
      return value <= limit;
    case '>':
      return value > limit;
    case '>=':
      return value >= limit;
    case '=':
      return value === limit;
    case '<>':
      return value !== limit;
  }
};

const generalSection = (marks: NumberMarks): Section => ({
  condition: null,
  isUnsigned: false,
  number: compileGeneral([{ type: 'general' }], marks),
  date: null,
});

/** Adds the conditions that Excel assumes for sections without one, except for the last section. */
function withConditions(sections: Section[], marks: NumberMarks): Section[] {
  const [first, second, third] = sections as [Section, Section?, Section?];
  if (!second) return first.condition ? [first, generalSection(marks)] : [first];
  if (!first.condition) {
    first.condition = { operator: third || second.condition ? '>' : '>=', limit: 0 };
    if (!second.condition && !third) return [first, { ...second, isUnsigned: true }];
  }
  if (!second.condition && third) second.condition = { operator: coversNegatives(first) ? '>' : '<', limit: 0 };
  first.isUnsigned = isOfNegatives(first);
  second.isUnsigned = second.condition ? isOfNegatives(second) : leavesNegatives(first);
  return third ? [first, second, third] : [first, second];
}

/** Returns true if the section covers all negative numbers. */
const coversNegatives = ({ condition }: Section): boolean =>
  condition !== null && condition.limit === 0 && (condition.operator === '<' || condition.operator === '<=');

/** Returns true if the section covers only negative numbers, all or some of them; [<=0] also covers 0. */
function isOfNegatives({ condition }: Section): boolean {
  if (!condition) return false;
  const { operator, limit } = condition;
  if (operator === '<') return limit <= 0;
  return (operator === '<=' || operator === '=') && limit < 0;
}

const leavesNegatives = ({ condition }: Section): boolean =>
  condition !== null && condition.limit === 0 && (condition.operator === '>' || condition.operator === '>=');

function createFormat(sections: readonly Section[], textPart: TokenSection | null): NumberFormat {
  const single = sections.length === 1 ? sections[0]! : null;
  return {
    isDate: sections[0]!.date !== null,
    number(value, date1904) {
      const section = single ?? sections.find(({ condition }) => condition === null || holds(condition, value));
      if (!section) return null;
      if (section.date) return section.date(section.isUnsigned ? Math.abs(value) : value, date1904);
      return section.number!(Math.abs(value), value < 0 && !section.isUnsigned);
    },
    text(value) {
      if (!textPart) return value;
      let text = '';
      for (const token of textPart.tokens) text += token.type === 'text' ? value : literalOf(token);
      return text;
    },
  };
}

const MARKS: Partial<Record<FormatToken['type'], string>> = { point: '.', comma: ',', percent: '%', slash: '/' };

const literalOf = (token: FormatToken): string => ('text' in token ? token.text : (MARKS[token.type] ?? ''));
