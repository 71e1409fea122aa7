/** Encrypts the secrets of webhooks. Each is bound to its webhook: copied to another row, it is useless. */
import { createEncryption } from './encryption.ts';

export interface WebhookSecrets {
  encrypt(webhookKey: string, secret: string): string;
  /** Returns null if the secret was encrypted with another key of the server, or for another webhook. */
  decrypt(webhookKey: string, encrypted: string): string | null;
}

export function createWebhookSecrets(secretKey: string): WebhookSecrets {
  const encryption = createEncryption(secretKey, 'runsheet: secrets of webhooks');
  return {
    encrypt: (key, secret) => encryption.encrypt({ key, secret }),
    decrypt: (key, encrypted) => {
      const decrypted = encryption.decrypt(encrypted) as { key: string; secret: string } | null;
      return decrypted?.key === key ? decrypted.secret : null;
    },
  };
}
