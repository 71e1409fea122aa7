import { loadWholeLanguage } from '#renderer/language/language.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';

/** What stands around the pages of signed-in people; those of visitors, and the sign-in page, do not carry it. */
export async function loadFrame() {
  await loadWholeLanguage();
  return (await import('./Frame.tsx')).Frame;
}

export const LazyFrame = lazyPart(loadFrame);
