/**
 * Finds the possible meanings of a typed or pasted text that the user's region does not determine: '1.500' for a user
 * with a decimal point, '13/02/2026' for a user who writes the month first. The user is asked about such a text, and it
 * stays unchanged until they answer.
 */
import type { CellKind, PastedMarks } from './cell-kind.ts';
import type { FormCell } from './input-form.ts';
import { orderOfPasted, readDate } from './read-date.ts';
import { decimalsShown, readInMarks, type MarkedNumber } from './read-number.ts';
import { DAY_ORDERS, regionOf, type TextRegion } from './text-region.ts';

/** One of several interpretations of a text. */
export interface TextChoice {
  cell: FormCell;
  /** A region in which the text would be read this way. */
  region: TextRegion;
}

/**
 * Prefix of a text that the user is asked about: an invisible character that keeps parsers from reading the text as a
 * number.
 */
export const ASKED = '\u2060';

/**
 * Returns the possible interpretations of a text, the region's own first. Null if the region determines the meaning, or
 * if no interpretation is valid. A text that already has the prefix ASKED gets its interpretations even if there is
 * only one.
 */
export function textChoices(text: string, kind: CellKind): TextChoice[] | null {
  const { region, usage } = kind;
  if (!kind.canAsk || !region || text.trim() === '') return null;
  const choices = usage === 'Number' ? numberChoices(text, kind, region) : null;
  return usage === 'Date' ? dayChoices(text, kind, region) : choices;
}

/** Quickly excludes most texts: only exactly three digits after a separator can be a group of thousands. */
const MAYBE_GROUP = /[.,]\d{3}(?!\d)/;

function numberChoices(text: string, kind: CellKind, region: TextRegion): TextChoice[] | null {
  if (!MAYBE_GROUP.test(text)) return null;
  const read = (of: TextRegion): MarkedNumber | null => readInMarks(text, kind, of);
  const own = read(region);
  const { pastedMarks } = kind;
  const isForeign = pastedMarks === 'other' || pastedMarks === 'mixed';
  const isAsked = text.startsWith(ASKED);
  if (own !== null && !isForeign && !isAsked) {
    const isUsual = !own.hasDecimals || pastedMarks === 'own' || decimalsShown(kind.format) >= 3;
    if (isUsual || own.value === kind.held) return null;
  }
  const all = [region, ...foreignMarks()].flatMap((of) => {
    const found = read(of);
    return found === null ? [] : [{ cell: found.value, region: of }];
  });
  const choices = distinct(all);
  return choices.length < (isAsked ? 1 : 2) ? null : choices;
}

/** Covers nearly all users: decimal point and decimal comma. */
const foreignMarks = (): TextRegion[] => [regionOf('en-US'), regionOf('de-DE')];

function dayChoices(text: string, kind: CellKind, region: TextRegion): TextChoice[] | null {
  if (!IN_DIGITS.test(text)) return null;
  const read = (DayOrder: TextRegion['DayOrder']): TextChoice | null => {
    const of = { ...region, DayOrder };
    const found = readDate(text, { format: kind.format, region: of });
    return found && { cell: found.value, region: of };
  };
  const own = read(region.DayOrder);
  const { pastedOrder } = kind;
  const isAsked = text.startsWith(ASKED);
  if (own !== null && !isAsked && (pastedOrder === undefined || pastedOrder === region.DayOrder)) {
    // A year-first region does not determine the reading of dates that end with the year.
    const isOwn = region.DayOrder !== 'ymd' || isYearFirst(text);
    if (isOwn || own.cell === kind.held) return null;
  }
  const isOrderKnown = pastedOrder !== undefined && pastedOrder !== 'mixed' && region.DayOrder === 'ymd';
  if (isOrderKnown && !isYearFirst(text) && read(pastedOrder) !== null) return null;
  const orders = isYearFirst(text) ? DAY_ORDERS : DAY_ORDERS.filter((order) => order !== 'ymd');
  const choices = distinct([...new Set([region.DayOrder, ...orders])].flatMap((order) => read(order) ?? []));
  const isSure = own !== null && choices.length < 2 && !isAsked;
  return choices.length === 0 || isSure ? null : choices;
}

/** Three numbers without a four-digit year at the start. */
const IN_DIGITS = /^\D*\d{1,2} ?[-/. ] ?\d{1,2} ?[-/. ] ?\d{1,4}(?!\d)/;
/** With a two-digit year, any of the three numbers may be the year. */
const isYearFirst = (text: string): boolean => !/^\D*\d{1,2} ?[-/. ] ?\d{1,2} ?[-/. ] ?\d{4}(?!\d)/.test(text);

const distinct = (choices: readonly TextChoice[]): TextChoice[] =>
  choices.filter(({ cell }, at) => choices.findIndex((other) => other.cell === cell) === at);

/** Determines from the texts of a pasted column which date order or separators they use. */
export function evidenceOf(texts: readonly string[], kind: CellKind): Pick<CellKind, 'pastedOrder' | 'pastedMarks'> {
  if (kind.usage === 'Date') {
    const pastedOrder = orderOfPasted(texts);
    return pastedOrder === undefined ? {} : { pastedOrder };
  }
  const pastedMarks = kind.usage === 'Number' && kind.region ? marksOfPasted(texts, kind, kind.region) : undefined;
  return pastedMarks === undefined ? {} : { pastedMarks };
}

const MARK = /[.,]/;
/** Matches most pasted numbers. */
const PLAIN = /^[+-]?(\d+)([.,])(\d+)$/;

function marksOfPasted(texts: readonly string[], kind: CellKind, region: TextRegion): PastedMarks | undefined {
  const evidence = new Set<'own' | 'other'>();
  for (const text of texts) {
    if (!MARK.test(text) || evidence.size > 1) continue;
    const [, whole = '', mark, part = ''] = PLAIN.exec(text) ?? [];
    if (mark !== undefined) {
      const mayGroup = part.length === 3 && whole.length <= 3 && !whole.startsWith('0');
      if (!mayGroup) evidence.add(mark === region.Decimal ? 'own' : 'other');
      continue;
    }
    const own = readInMarks(text, kind, region);
    const others = foreignMarks().flatMap((of) => readInMarks(text, kind, of)?.value ?? []);
    const isOther = own === null && others.length > 0;
    if (isOther) evidence.add('other');
    else if (own !== null && others.every((value) => value === own.value)) evidence.add('own');
  }
  return evidence.size > 1 ? 'mixed' : [...evidence][0];
}
