import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router-dom';
import { loadWholeLanguage } from '#renderer/language/language.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';

/** A page for signed-in people, whose code and texts are fetched when it is first opened. */
export function page(path: string, load: () => Promise<ComponentType>): RouteObject {
  return openPage(path, async () => {
    await loadWholeLanguage();
    return load();
  });
}

/** A page that nobody has to sign in for; its texts are there from the start. */
export function openPage(path: string, load: () => Promise<ComponentType>): RouteObject {
  return {
    path,
    // The router remembers a failure for good, so that it must not learn of one.
    lazy: async () => ({ Component: await load().catch(() => lazyPart(load)) }),
  };
}
