/**
 * Translates the server's description of a cron schedule. A library provides the words; it is loaded only for languages
 * that need it.
 */
import { useEffect, useState } from 'react';
import { currentLocale, said } from '#renderer/language/translate.ts';

const LOCALES: Readonly<Record<string, () => Promise<unknown>>> = {
  de: () => import('cronstrue/locales/de'),
};

/** @param text the server's text: the plan, then holidays and the time zone */
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

/** Returns the text of a schedule. @param cron null if it is no cron schedule */
export function useScheduleText(text: string, cron: string | null): string {
  const [found, setFound] = useState({ of: '', text: '' });
  useEffect(() => {
    if (cron === null) return undefined;
    let isUnmounted = false;
    const show = (own: string): void => {
      if (!isUnmounted) setFound({ of: text, text: own });
    };
    // If the library cannot be loaded, the server's text stays.
    void cronText(text, cron).then(show, () => undefined);
    return () => {
      isUnmounted = true;
    };
  }, [text, cron]);
  return cron !== null && found.of === text && text !== '' ? found.text : said(text);
}
