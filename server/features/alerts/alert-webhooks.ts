/**
 * Stores webhook addresses of Teams and Slack encrypted and never shows them again: anyone who knows an address can
 * post there.
 */
import { createEncryption } from '#server/access/encryption.ts';
import type { AlertWebhookKind } from '#shared/contract/alerts.ts';

export interface AlertWebhook {
  Kind: AlertWebhookKind;
  Url: string;
}

export interface AlertWebhooks {
  encrypt(webhooks: readonly AlertWebhook[]): string;
  /** Returns an empty array if the addresses were encrypted with another key. */
  decrypt(encrypted: string): AlertWebhook[];
  encryptOne(webhook: AlertWebhook): string;
  decryptOne(encrypted: string): AlertWebhook | null;
}

export function createAlertWebhooks(secretKey: string): AlertWebhooks {
  const encryption = createEncryption(secretKey, 'runsheet: webhooks of alerts');
  return {
    encrypt: (Webhooks) => encryption.encrypt({ Webhooks }),
    decrypt: (encrypted) => (encryption.decrypt(encrypted) as { Webhooks: AlertWebhook[] } | null)?.Webhooks ?? [],
    encryptOne: (webhook) => encryption.encrypt(webhook),
    decryptOne: (encrypted) => encryption.decrypt(encrypted) as AlertWebhook | null,
  };
}
