/**
 * The language of the screens: the one chosen by the user, which is stored in their profile and on this computer,
 * otherwise the browser's. Modules translate texts when they are loaded, so changing the language requires a reload.
 */
import { setLanguage, setRegion, type Language, type Profile, type RegionId } from '#shared/contract/auth.ts';
import { bridge } from '#renderer/api/bridge.ts';
import { call } from '#renderer/api/client.ts';
import { browserRegion, defaultRegion, knownRegion, useRegion } from './region.ts';
import { speak, type Catalogue } from './translate.ts';

const KEY = 'language';
const REGION_KEY = 'region';
const DEFAULT: Language = 'en';

export const LANGUAGES: readonly { language: Language; name: string }[] = [
  { language: 'en', name: 'English' },
  { language: 'de', name: 'Deutsch' },
];

interface Catalogues {
  /** Texts shown before sign-in and to visitors. */
  start: () => Promise<{ default: Catalogue }>;
  /** Messages of the server and shared rules: `messages` for everyone, `moreMessages` for signed-in users. */
  messages: () => Promise<{ default: Catalogue }>;
  moreMessages: () => Promise<{ default: Catalogue }>;
  rest: () => Promise<{ default: Catalogue }>;
}

/** English needs no catalogue, because the texts in the code are English. */
const CATALOGUES: Readonly<Record<Exclude<Language, 'en'>, Catalogues>> = {
  de: {
    start: () => import('./de/start.json'),
    messages: () => import('#shared/messages/de/messages.json'),
    moreMessages: () => import('#shared/messages/de/more-messages.json'),
    rest: () => import('./de/rest.json'),
  },
};

const known = (tag: string | null | undefined): Language | null =>
  LANGUAGES.find(({ language }) => language === tag)?.language ?? null;

/** Returns the first supported language of the browser, ignoring its region. */
const browserLanguage = (): Language =>
  navigator.languages.map((tag) => known(tag.split('-')[0]?.toLowerCase())).find((language) => language !== null) ??
  DEFAULT;

let spoken: Language = DEFAULT;
interface Texts {
  texts: Catalogue;
  messages: Catalogue;
}

let beginning: Texts = { texts: {}, messages: {} };
let loading: Promise<void> | null = null;

/** Returns the language chosen on this computer; null to use the browser's. */
const chosenLanguage = (): Language | null => known(bridge.shared.get(KEY));

/** English pages do not load the code that finds translations. */
async function speakAll(language: Language, { texts, messages }: Texts): Promise<void> {
  const { createSaying } = await import('#shared/messages/translate-message.ts');
  speak(language, texts, createSaying(texts, messages));
}

/** Must be called before the first render. Without its catalogue, the page is English. */
export async function startLanguage(isSignedIn: boolean): Promise<void> {
  const language = (isSignedIn ? chosenLanguage() : null) ?? browserLanguage();
  if (language !== 'en') {
    try {
      const { start, messages } = CATALOGUES[language];
      const [own, said] = await Promise.all([start(), messages()]);
      beginning = { texts: own.default, messages: said.default };
      await speakAll(language, beginning);
    } catch {
      return;
    }
  }
  spoken = language;
  const stored = isSignedIn ? knownRegion(bridge.shared.get(REGION_KEY) ?? '') : undefined;
  useRegion(stored ?? browserRegion(navigator.languages, language));
  bridge.speak(language);
  document.documentElement.lang = language;
}

/**
 * Loads all texts before a page for signed-in users is loaded. Throws if they cannot be fetched; another call retries.
 */
export function loadFullLanguage(): Promise<void> {
  const language = spoken;
  if (language === 'en') return Promise.resolve();
  const { rest, moreMessages } = CATALOGUES[language];
  loading ??= Promise.all([rest(), moreMessages()])
    .then(([own, said]) =>
      speakAll(language, {
        texts: { ...beginning.texts, ...own.default },
        messages: { ...said.default, ...beginning.messages },
      }),
    )
    .catch((error: unknown) => {
      loading = null;
      throw error;
    });
  return loading;
}

/** Stores the user's choice in their profile and on this computer; null follows the browser. */
export async function chooseLanguage(language: Language | null): Promise<void> {
  await call(setLanguage, { body: { Language: language } });
  bridge.shared.set(KEY, language);
  if ((language ?? browserLanguage()) !== spoken) window.location.reload();
}

/** Returns the region used if none is chosen. */
export const browserRegionOf = (): string => browserRegion(navigator.languages, spoken) ?? defaultRegion(spoken);

/** Stores the user's choice of region in the same way. */
export async function chooseRegion(region: RegionId | null): Promise<void> {
  await call(setRegion, { body: { Region: region } });
  bridge.shared.set(REGION_KEY, region);
  window.location.reload();
}

/** Applies the choices in the user's profile on this computer. */
export function followPerson({ Language: language, Region: region }: Pick<Profile, 'Language' | 'Region'>): void {
  // Users who have not chosen a region must not get the region of the previous user of this computer.
  if (region !== bridge.shared.get(REGION_KEY)) {
    bridge.shared.set(REGION_KEY, region);
    if (bridge.shared.get(REGION_KEY) === region) window.location.reload();
  }
  if (language === null || language === chosenLanguage()) return;
  bridge.shared.set(KEY, language);
  // If storage is unavailable, reloading would cause an endless loop.
  if (language !== spoken && chosenLanguage() === language) window.location.reload();
}
