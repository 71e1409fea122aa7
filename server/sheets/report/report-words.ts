/** Texts, times and values of a report in the language, region and time zone of a person. */
import { formatCellValue } from '#shared/codecs/format-value.ts';
import { MONTH_NAMES } from '#shared/codecs/serial-date.ts';
import { regionOf } from '#shared/codecs/text-region.ts';
import type { ShowValue } from '#shared/codecs/value-table.ts';
import type { Language } from '#shared/contract/auth.ts';
import { createGermanSaying } from './german-messages.ts';
import { GERMAN_REPORT } from './german-report.ts';

export interface Reader {
  language: Language;
  /** BCP 47 tag of the region by which numbers and dates are shown. */
  region: string;
  /** IANA name. */
  timeZone: string;
}

export interface ReportWords {
  /** Translates a text of the report; placeholders for values are in braces. */
  text(english: string, values?: Readonly<Record<string, string | number>>): string;
  /** Translates an English message of the server with its values; one without translation stays English. */
  said(message: string): string;
  number(value: number): string;
  /** Returns '5/Jan/2026 09:05:00', or '05.01.2026 09:05:00' for a German in Germany, like the screens. */
  time(instant: string): string;
  show: ShowValue;
}

const VALUE = /\{(\w+)\}/g;

export function reportWords({ language, region, timeZone }: Reader): ReportWords {
  const own: Readonly<Record<string, string>> = language === 'de' ? GERMAN_REPORT : {};
  const textRegion = regionOf(region);
  const clock = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  return {
    // Uses a function, so that a dollar sign in a value is not interpreted.
    text: (english, values = {}) =>
      (own[english] ?? english).replace(VALUE, (brace, name: string) => String(values[name] ?? brace)),
    said: (message) => (language === 'de' ? createGermanSaying()(message) : message),
    number: (value) => value.toLocaleString(region, { numberingSystem: 'latn' }),
    time: (instant) => {
      const date = new Date(instant);
      const parts = Object.fromEntries(clock.formatToParts(date).map(({ type, value }) => [type, value]));
      const { year = '', month = '', day = '', hour = '', minute = '', second = '' } = parts;
      const isOwnNotation = language !== 'en' && region.startsWith(language);
      const shownDay = isOwnNotation
        ? date.toLocaleDateString(region, { dateStyle: 'medium', timeZone })
        : `${day}/${MONTH_NAMES[Number(month) - 1]}/${year}`;
      return `${shownDay} ${hour}:${minute}:${second}`;
    },
    show: (value, format, usage) => formatCellValue(value, format, usage, textRegion),
  };
}
