/** Texts of the portal's mails in the language of the recipient. As on the screens, the English text is the key. */
import { createSaying } from '#shared/codecs/sentences.ts';
import type { Language } from '#shared/contract/auth.ts';
import { GERMAN_RUN_MESSAGES } from '#server/base/german-run-messages.ts';
import { GERMAN_MAILS, GERMAN_MESSAGES } from './german-mails.ts';

export type MailValues = Readonly<Record<string, string | number>>;

export interface MailWords {
  /** Translates a text that the program contains; placeholders for values are in braces. */
  text(english: string, values?: MailValues): string;
  /**
   * Translates a complete English sentence, such as the message of an alert or why a run failed; returns it unchanged
   * if it is unknown.
   */
  say(sentence: string): string;
  /** Formats a time such as '29 Nov 2026, 18:02 (Europe/Berlin)'. */
  time(instant: Date, timeZone: string): string;
}

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' };
type Texts = Readonly<Record<string, string>>;
const TEXTS: Readonly<Record<Language, { mails: Texts; say: (sentence: string) => string }>> = {
  en: { mails: {}, say: (sentence) => sentence },
  de: { mails: GERMAN_MAILS, say: createSaying({}, { ...GERMAN_RUN_MESSAGES, ...GERMAN_MESSAGES }) },
};

/** @param language language of the person; null if they have not chosen one */
export function mailWords(language: Language | null): MailWords {
  const { mails, say } = TEXTS[language ?? 'en'];
  return {
    text: (english, values = {}) => fill(mails[english] ?? english, values),
    say,
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
