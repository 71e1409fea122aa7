import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router-dom';
import { loadFullLanguage } from '#renderer/language/language.ts';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';

/** A page for signed-in users, whose code and texts are fetched when it is first opened. */
export function page(path: string, load: () => Promise<ComponentType>): RouteObject {
  return openPage(path, async () => {
    await loadFullLanguage();
    return load();
  });
}

/** A page that requires no sign-in; its texts are already loaded. */
export function openPage(path: string, load: () => Promise<ComponentType>): RouteObject {
  return {
    path,
    // The router caches failures permanently, so load failures must not reach it.
    lazy: async () => ({ Component: await load().catch(() => lazyPart(load)) }),
  };
}
