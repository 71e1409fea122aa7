import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router-dom';

/** A page whose code is fetched when it is first opened. */
export function page(path: string, load: () => Promise<ComponentType>): RouteObject {
  return { path, lazy: async () => ({ Component: await load() }) };
}
