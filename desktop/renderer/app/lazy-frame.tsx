import { loadFullLanguage } from '#renderer/language/language.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';

/** Loads the frame around pages of signed-in users on demand; visitors' pages and the sign-in page do not need it. */
export async function loadFrame() {
  await loadFullLanguage();
  return (await import('./Frame.tsx')).Frame;
}

export const LazyFrame = lazyPart(loadFrame);
