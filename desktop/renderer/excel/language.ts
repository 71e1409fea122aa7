/** The pane speaks the language of Excel, where there are texts in it. */
import { browserRegion, useRegion } from '#renderer/language/region.ts';
import { speak, type Catalogue } from '#renderer/language/translate.ts';
import { findOffice } from './office.ts';

type Load = () => Promise<{ default: Catalogue }>;

/** Texts of the pane, and what the server and shared rules say. */
const CATALOGUES: Readonly<Record<string, { texts: Load; messages: Load[] }>> = {
  de: {
    texts: () => import('../language/de/excel.json'),
    messages: [() => import('../language/de/messages.json'), () => import('../language/de/more-messages.json')],
  },
};

/** Before the first render. Without its catalogue the pane is English. */
export async function speakAsExcel(): Promise<void> {
  // The script throws where it is in no Office program.
  const tags = [displayLanguage(), ...navigator.languages];
  const language = tags.map((tag) => tag.split('-')[0]!.toLowerCase()).find((tag) => tag === 'en' || tag in CATALOGUES);
  useRegion(browserRegion([...navigator.languages], language ?? 'en'));
  const catalogues = CATALOGUES[language ?? 'en'];
  if (!language || !catalogues) return;
  try {
    const [texts, { createSaying }, ...messages] = await Promise.all([
      catalogues.texts(),
      import('#renderer/language/patterns.ts'),
      ...catalogues.messages.map((load) => load()),
    ]);
    const all = Object.assign({}, ...messages.map((one) => one.default)) as Catalogue;
    speak(language, texts.default, createSaying(texts.default, all));
    document.documentElement.lang = language;
  } catch {
    // English, then.
  }
}

function displayLanguage(): string {
  try {
    return findOffice()?.context.displayLanguage ?? '';
  } catch {
    return '';
  }
}
