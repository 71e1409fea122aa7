/** Addresses of webhooks in Teams and Slack. Whoever knows one may write there: they are kept encrypted and never shown again. */
import { createEncryption } from '#server/features/single-sign-on/encryption.ts';
import type { AlertWebhookKind } from '#shared/contract/alerts.ts';

export interface AlertWebhook {
  Kind: AlertWebhookKind;
  Url: string;
}

export interface AlertWebhooks {
  encrypt(webhooks: readonly AlertWebhook[]): string;
  /** None where they were encrypted with another key. */
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
