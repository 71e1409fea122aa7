import type { Config } from './config-schema.ts';

/** Returns the configured URL of the portal, ending with a slash; null if none is configured. */
export function publicAddress({ publicUrl, basePath }: Pick<Config, 'publicUrl' | 'basePath'>): string | null {
  if (publicUrl === '') return null;
  const { pathname } = new URL(publicUrl);
  return pathname === '/' ? publicUrl + basePath : `${publicUrl}/`;
}
