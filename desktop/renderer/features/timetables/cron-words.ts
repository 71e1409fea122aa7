/** What the server says of a schedule by cron, in the language of the person: a library has the words, and comes with the language alone. */
import { useEffect, useState } from 'react';
import { currentLocale, said } from '#renderer/language/translate.ts';

const LOCALES: Readonly<Record<string, () => Promise<unknown>>> = {
  de: () => import('cronstrue/locales/de'),
};

/** @param text as the server has it: the plan, then holidays and the time zone */
export async function cronText(text: string, cron: string): Promise<string> {
  const locale = currentLocale();
  const load = LOCALES[locale];
  if (!load) return said(text);
  const { default: cronstrue } = await import('cronstrue');
  await load();
  const english = cronstrue.toString(cron, { use24HourTimeFormat: true });
  if (!text.startsWith(english)) return said(text);
  return said(cronstrue.toString(cron, { use24HourTimeFormat: true, locale }) + text.slice(english.length));
}

/** The text of a schedule. @param cron null where it is no schedule by cron */
export function useTimetableText(text: string, cron: string | null): string {
  const [found, setFound] = useState({ of: '', text: '' });
  useEffect(() => {
    if (cron === null) return undefined;
    let isLeft = false;
    const keep = (own: string): void => {
      if (!isLeft) setFound({ of: text, text: own });
    };
    // Without the library the words of the server stay.
    void cronText(text, cron).then(keep, () => undefined);
    return () => {
      isLeft = true;
    };
  }, [text, cron]);
  return cron !== null && found.of === text && text !== '' ? found.text : said(text);
}
