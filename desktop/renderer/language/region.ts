/**
 * The user's region, comparable to the Windows region that Excel uses: it determines how numbers and days are typed and
 * displayed, both in workbook cells and in the portal's own fields. It is independent of the language of the screens,
 * because many users in Zurich or Vienna use English.
 */
import { REGION_IDS, regionOf, type TextRegion } from '#shared/codecs/text-region.ts';

/** Used if the browser's language differs from the language chosen by the user. */
const REGIONS_OF_LANGUAGES: Readonly<Record<string, string>> = { en: 'en-US', de: 'de-DE' };

let chosen: TextRegion | null = null;
let language = 'en';

/** Returns the default region of a language of the screens. */
export const defaultRegion = (spoken: string): string => REGIONS_OF_LANGUAGES[spoken] ?? spoken;

/** Returns how the user writes numbers and days. */
export const personRegion = (): TextRegion => chosen ?? regionOf(defaultRegion(language));

/** Used as long as no region is set. */
export function followLanguage(spoken: string): void {
  language = spoken;
}

/** Applies from now on; content already displayed does not change. */
export function useRegion(tag: string | null): void {
  chosen = tag === null ? null : regionOf(tag);
}

/**
 * Returns the region of the browser's preferred language; null if the user chose a language other than the browser's.
 */
export function browserRegion(tags: readonly string[], spoken: string): string | null {
  const [first] = tags;
  // English is also shown to users whose language the portal does not support: they retain their own region.
  const isChosen = Object.keys(REGIONS_OF_LANGUAGES).some((one) => tags.some((tag) => isOfLanguage(tag, one)));
  if (first === undefined || (isChosen && !tags.some((tag) => isOfLanguage(tag, spoken)))) return null;
  return knownRegion(first) ?? REGIONS_OF_LANGUAGES[first.toLowerCase()] ?? regionOfLanguage(first) ?? null;
}

const isOfLanguage = (tag: string, spoken: string): boolean => tag.split('-')[0]!.toLowerCase() === spoken;

/** Returns the selectable region with this tag; undefined for any other text. */
export const knownRegion = (tag: string): string | undefined =>
  REGION_IDS.find((id) => id.toLowerCase() === tag.toLowerCase());

/** 'fr-LU' and 'fr' use the notation of France, 'zh-Hans-CN' that of China. */
function regionOfLanguage(tag: string): string | undefined {
  const { language: spoken, region } = new Intl.Locale(tag).maximize();
  return (
    knownRegion(`${spoken}-${region}`) ?? REGION_IDS.find((id) => id.startsWith(`${spoken}-${spoken.toUpperCase()}`))
  );
}
