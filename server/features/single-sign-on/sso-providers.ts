/** The providers by name, and the seals of what is kept of their sessions. */
import { createSealer } from './sealing.ts';
import { noProvider } from './sso-failures.ts';
import type { SsoKeepsake, SsoProvider } from './sso-provider.ts';

export interface SsoProviders {
  readonly all: readonly SsoProvider[];
  /** Throws an AppError 404 for a provider there is not. */
  named(name: string): SsoProvider;
  seal(provider: SsoProvider, keepsake: SsoKeepsake): string;
  /** Nothing where it was sealed with a secret that has been changed since. */
  open(provider: SsoProvider, sealed: string): SsoKeepsake;
}

export function createSsoProviders(all: readonly SsoProvider[]): SsoProviders {
  const sealers = new Map(all.map(({ name, sealingSecret }) => [name, createSealer(sealingSecret)]));
  return {
    all,
    named: (name) => {
      const found = all.find((provider) => provider.name === name);
      if (!found) throw noProvider();
      return found;
    },
    seal: ({ name }, keepsake) => sealers.get(name)!.seal(keepsake),
    open: ({ name }, sealed) => (sealers.get(name)!.open(sealed) ?? {}) as SsoKeepsake,
  };
}
