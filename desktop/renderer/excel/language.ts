/** The pane uses Excel's display language if it is supported. */
import { browserRegion, useRegion } from '#renderer/language/region.ts';
import { speak, type Catalogue } from '#renderer/language/translate.ts';
import { findOffice } from './office.ts';

type Load = () => Promise<{ default: Catalogue }>;

/** Texts of the pane, and messages of the server and shared rules. */
const CATALOGUES: Readonly<Record<string, { texts: Load; messages: Load[] }>> = {
  de: {
    texts: () => import('../language/de/excel.json'),
    messages: [
      () => import('#shared/messages/de/messages.json'),
      () => import('#shared/messages/de/more-messages.json'),
    ],
  },
};

/** Must be called before the first render. Without its catalogue, the pane is English. */
export async function speakAsExcel(): Promise<void> {
  // The script throws if the page is not inside an Office program.
  const tags = [displayLanguage(), ...navigator.languages];
  const language = tags.map((tag) => tag.split('-')[0]!.toLowerCase()).find((tag) => tag === 'en' || tag in CATALOGUES);
  useRegion(browserRegion([...navigator.languages], language ?? 'en'));
  const catalogues = CATALOGUES[language ?? 'en'];
  if (!language || !catalogues) return;
  try {
    const [texts, { createSaying }, ...messages] = await Promise.all([
      catalogues.texts(),
      import('#shared/messages/translate-message.ts'),
      ...catalogues.messages.map((load) => load()),
    ]);
    const all = Object.assign({}, ...messages.map((one) => one.default)) as Catalogue;
    speak(language, texts.default, createSaying(texts.default, all));
    document.documentElement.lang = language;
  } catch {
    // Falls back to English.
  }
}

function displayLanguage(): string {
  try {
    return findOffice()?.context.displayLanguage ?? '';
  } catch {
    return '';
  }
}
