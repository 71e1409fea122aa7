/**
 * Which language the screens speak: the one that the person has chosen, kept with them and on this computer, else the browser's. Texts are
 * translated as modules are loaded, too, so that another language takes a reload.
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
  /** Of what is shown before anybody has signed in, and to visitors. */
  start: () => Promise<{ default: Catalogue }>;
  /** What the server and shared rules say: to everybody, and to those who have signed in. */
  messages: () => Promise<{ default: Catalogue }>;
  moreMessages: () => Promise<{ default: Catalogue }>;
  rest: () => Promise<{ default: Catalogue }>;
}

/** The texts themselves are English. */
const CATALOGUES: Readonly<Record<Exclude<Language, 'en'>, Catalogues>> = {
  de: {
    start: () => import('./de/start.json'),
    messages: () => import('./de/messages.json'),
    moreMessages: () => import('./de/more-messages.json'),
    rest: () => import('./de/rest.json'),
  },
};

const known = (tag: string | null | undefined): Language | null =>
  LANGUAGES.find(({ language }) => language === tag)?.language ?? null;

/** The first of the browser's languages that there is, whatever its region. */
const browserLanguage = (): Language =>
  navigator.languages.map((tag) => known(tag.split('-')[0]?.toLowerCase())).find((language) => language !== null) ??
  DEFAULT;

let spoken: Language = DEFAULT;
interface Texts {
  texts: Catalogue;
  messages: Catalogue;
}

let beginning: Texts = { texts: {}, messages: {} };
let whole: Promise<void> | null = null;

/** What was chosen on this computer; null where the browser's language counts. */
export const chosenLanguage = (): Language | null => known(bridge.shared.get(KEY));

/** English pages fetch nothing of what finds translations. */
async function speakAll(language: Language, { texts, messages }: Texts): Promise<void> {
  const { createSaying } = await import('./patterns.ts');
  speak(language, texts, createSaying(texts, messages));
}

/** Before the first render. Without its catalogue the page is English. */
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
  const kept = isSignedIn ? knownRegion(bridge.shared.get(REGION_KEY) ?? '') : undefined;
  useRegion(kept ?? browserRegion(navigator.languages, language));
  bridge.speak(language);
  document.documentElement.lang = language;
}

/** All texts, before a page for signed-in people is loaded. Throws where they cannot be fetched; asked again, it tries again. */
export function loadWholeLanguage(): Promise<void> {
  const language = spoken;
  if (language === 'en') return Promise.resolve();
  const { rest, moreMessages } = CATALOGUES[language];
  whole ??= Promise.all([rest(), moreMessages()])
    .then(([own, said]) =>
      speakAll(language, {
        texts: { ...beginning.texts, ...own.default },
        messages: { ...said.default, ...beginning.messages },
      }),
    )
    .catch((error: unknown) => {
      whole = null;
      throw error;
    });
  return whole;
}

/** The person's choice, with them and here; null follows the browser. */
export async function chooseLanguage(language: Language | null): Promise<void> {
  await call(setLanguage, { body: { Language: language } });
  bridge.shared.set(KEY, language);
  if ((language ?? browserLanguage()) !== spoken) window.location.reload();
}

/** The region that counts where none is chosen. */
export const browserRegionOf = (): string => browserRegion(navigator.languages, spoken) ?? defaultRegion(spoken);

/** The same of the region of values. */
export async function chooseRegion(region: RegionId | null): Promise<void> {
  await call(setRegion, { body: { Region: region } });
  bridge.shared.set(REGION_KEY, region);
  window.location.reload();
}

/** What is kept with the person counts on every computer of theirs. */
export function followPerson({ Language: language, Region: region }: Pick<Profile, 'Language' | 'Region'>): void {
  // One who has chosen none must not read values by the region of whoever used this computer before.
  if (region !== bridge.shared.get(REGION_KEY)) {
    bridge.shared.set(REGION_KEY, region);
    if (bridge.shared.get(REGION_KEY) === region) window.location.reload();
  }
  if (language === null || language === chosenLanguage()) return;
  bridge.shared.set(KEY, language);
  // Where nothing can be kept here a reload would be followed by the next one.
  if (language !== spoken && chosenLanguage() === language) window.location.reload();
}
