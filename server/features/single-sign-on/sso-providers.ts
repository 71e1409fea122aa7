/** The providers by name, and the encryption of their sessions' logout contexts. */
import { createEncryption } from '#server/access/encryption.ts';
import { noProvider } from './sso-failures.ts';
import type { SsoLogoutContext, SsoProvider } from './sso-provider.ts';

export interface SsoProviders {
  readonly all: readonly SsoProvider[];
  /** Throws an AppError 404 if there is no such provider. */
  named(name: string): SsoProvider;
  encrypt(provider: SsoProvider, logoutContext: SsoLogoutContext): string;
  /** Returns an empty context if the text was encrypted with a secret that has changed since. */
  decrypt(provider: SsoProvider, encrypted: string): SsoLogoutContext;
}

export function createSsoProviders(all: readonly SsoProvider[]): SsoProviders {
  const encryptions = new Map(all.map(({ name, encryptionSecret }) => [name, createEncryption(encryptionSecret)]));
  return {
    all,
    named: (name) => {
      const found = all.find((provider) => provider.name === name);
      if (!found) throw noProvider();
      return found;
    },
    encrypt: ({ name }, logoutContext) => encryptions.get(name)!.encrypt(logoutContext),
    decrypt: ({ name }, encrypted) => (encryptions.get(name)!.decrypt(encrypted) ?? {}) as SsoLogoutContext,
  };
}
