import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router-dom';
import { lazyPart } from '#renderer/ui/lazy-part.tsx';

/** A page whose code is fetched when it is first opened. */
export function page(path: string, load: () => Promise<ComponentType>): RouteObject {
  return {
    path,
    // The router remembers a failure for good, so that it must not learn of one.
    lazy: async () => ({ Component: await load().catch(() => lazyPart(load)) }),
  };
}
