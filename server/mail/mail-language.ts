/** Texts of the portal's mails in the language of the recipient. As on the screens, the English text is the key. */
import type { Language } from '#shared/contract/auth.ts';
import { GERMAN_MAILS, GERMAN_MESSAGES } from './german-mails.ts';

export type MailValues = Readonly<Record<string, string | number>>;

export interface MailWords {
  /** Translates a text that the program contains; placeholders for values are in braces. */
  text(english: string, values?: MailValues): string;
  /** Translates a complete English sentence, such as the message of an alert; returns it unchanged if it is unknown. */
  say(sentence: string): string;
  /** Formats a time such as '29 Nov 2026, 18:02 (Europe/Berlin)'. */
  time(instant: Date, timeZone: string): string;
}

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };
type Texts = Readonly<Record<string, string>>;
const TEXTS: Readonly<Record<Language, { mails: Texts; messages: Texts }>> = {
  en: { mails: {}, messages: {} },
  de: { mails: GERMAN_MAILS, messages: GERMAN_MESSAGES },
};

/** @param language language of the person; null if they have not chosen one */
export function mailWords(language: Language | null): MailWords {
  const { mails, messages } = TEXTS[language ?? 'en'];
  return {
    text: (english, values = {}) => fill(mails[english] ?? english, values),
    // Sentences may be people's own words, such as 'constructor'.
    say: (sentence) =>
      Object.hasOwn(messages, sentence) ? messages[sentence]! : (sayByPattern(messages, sentence) ?? sentence),
    time: (instant, timeZone) => {
      const format = new Intl.DateTimeFormat(LOCALES[language ?? 'en'], {
        dateStyle: 'medium',
        timeStyle: 'short',
        timeZone,
      });
      return `${format.format(instant)} (${timeZone})`;
    },
  };
}

const VALUE = /\{(\w+)\}/g;

// Uses a function, so that a dollar sign in a value is not interpreted.
const fill = (text: string, values: MailValues): string =>
  text.replace(VALUE, (brace, name: string) => String(values[name] ?? brace));

/** Finds the values in the sentence by the text around them. */
function sayByPattern(texts: Texts, sentence: string): string | null {
  for (const [english, own] of Object.entries(texts)) {
    const names = Array.from(english.matchAll(VALUE), ([, name]) => name!);
    if (names.length === 0) continue;
    const parts = english.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const found = new RegExp(`^${parts.join('(.+?)')}$`, 's').exec(sentence);
    if (found) return fill(own, Object.fromEntries(names.map((name, at) => [name, found[at + 1]!])));
  }
  return null;
}
