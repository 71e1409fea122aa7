/**
 * Texts of the screens in the language of the person. The English text is the key: what no catalogue has is shown as it was written. Values
 * stand in braces, plurals as ICU messages write them; an apostrophe is always itself.
 */
import { MessageFormatter, pluralTypeHandler } from '@ultraq/icu-message-formatter';
import { cloneElement, createElement, Fragment, isValidElement, type ReactNode } from 'react';
import { followLanguage, personRegion } from './region.ts';

export type Catalogue = Readonly<Record<string, string>>;

const DEFAULT_LOCALE = 'en';

let locale = DEFAULT_LOCALE;
let texts: ReadonlyMap<string, string> = new Map();
let sayIn: ((text: string) => string) | null = null;
let formatter = createFormatter(DEFAULT_LOCALE);

type Values = Readonly<Record<string, unknown>>;

/** Splits into what stands before, the name, and what stands between. */
const TAG = /<(\w+)>(.*?)<\/\1>/s;

function createFormatter(language: string): MessageFormatter {
  // The formatter writes the number sign of a plural as `{…, number}`.
  const number = (value: unknown): string => Number(value).toLocaleString(personRegion().Id);
  return new MessageFormatter(language, { plural: pluralTypeHandler, number });
}

/**
 * From now on; what was translated before stays as it is.
 * @param say translates what the server and shared rules say
 */
export function speak(language: string, catalogue: Catalogue, say: typeof sayIn = null): void {
  locale = language;
  followLanguage(language);
  texts = new Map(Object.entries(catalogue));
  sayIn = say;
  formatter = createFormatter(language);
}

/** BCP 47 tag of the language that is spoken, which sorting follows; numbers follow the region. */
export const currentLocale = (): string => locale;

/** A text that is known when the program is written. */
export function t(text: string, values?: Values): string {
  const own = texts.get(text) ?? text;
  return values ? partsOf<string | number>(own, values).join('') : own;
}

/** A text with parts that are drawn: `{time}` is put in as it is, of `<link>…</link>` what stands between becomes the element's content. */
export function rich(text: string, values: Readonly<Record<string, ReactNode>>): ReactNode {
  const pieces = (texts.get(text) ?? text).split(TAG);
  const drawn: ReactNode[] = [];
  for (let at = 0; at < pieces.length; at += 3) {
    drawn.push(...partsOf(pieces[at]!, values));
    const element = values[pieces[at + 1] ?? ''];
    if (isValidElement(element)) drawn.push(cloneElement(element, undefined, ...partsOf(pieces[at + 2]!, values)));
  }
  return createElement(Fragment, null, ...drawn);
}

/** What the server or a shared rule says in English, values and all; as it is where no catalogue has it. */
export const said = (text: string): string => (sayIn === null || text === '' ? text : sayIn(text));

// `format` of the formatter would remember every text with all values it ever had.
const partsOf = <Part = ReactNode>(text: string, values: Values): Part[] =>
  formatter.process(text, values).flat(Infinity) as Part[];
