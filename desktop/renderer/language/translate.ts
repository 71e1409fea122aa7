/**
 * Translates texts of the screens to the user's language. The English text is the key: a text without translation is
 * shown in English. Values are in braces, plurals in ICU message format; an apostrophe is always literal.
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

/** Splits a text into what precedes the tag, its name, and its content. */
const TAG = /<(\w+)>(.*?)<\/\1>/s;

function createFormatter(language: string): MessageFormatter {
  // The formatter represents the number sign of a plural as `{…, number}`.
  const number = (value: unknown): string => Number(value).toLocaleString(personRegion().Id);
  return new MessageFormatter(language, { plural: pluralTypeHandler, number });
}

/**
 * Sets the language from now on; texts already translated do not change.
 * @param say translates messages of the server and shared rules
 */
export function speak(language: string, catalogue: Catalogue, say: typeof sayIn = null): void {
  locale = language;
  followLanguage(language);
  texts = new Map(Object.entries(catalogue));
  sayIn = say;
  formatter = createFormatter(language);
}

/** Returns the BCP 47 tag of the current language, which determines sorting; numbers follow the region. */
export const currentLocale = (): string => locale;

/** Translates a text that is known at build time. */
export function t(text: string, values?: Values): string {
  const own = texts.get(text) ?? text;
  return values ? partsOf<string | number>(own, values).join('') : own;
}

/**
 * Translates a text with rendered parts: `{time}` is replaced by its value, and the content of `<link>…</link>` becomes
 * the content of the element.
 */
export function rich(text: string, values: Readonly<Record<string, ReactNode>>): ReactNode {
  const parts = (texts.get(text) ?? text).split(TAG);
  const drawn: ReactNode[] = [];
  for (let at = 0; at < parts.length; at += 3) {
    drawn.push(...partsOf(parts[at]!, values));
    const element = values[parts[at + 1] ?? ''];
    if (isValidElement(element)) drawn.push(cloneElement(element, undefined, ...partsOf(parts[at + 2]!, values)));
  }
  return createElement(Fragment, null, ...drawn);
}

/**
 * Translates an English message of the server or a shared rule, including its values; returns it unchanged if there is
 * no translation.
 */
export const said = (text: string): string => (sayIn === null || text === '' ? text : sayIn(text));

// Uses `process`, because `format` would cache every text together with all its values.
const partsOf = <Part = ReactNode>(text: string, values: Values): Part[] =>
  formatter.process(text, values).flat(Infinity) as Part[];
