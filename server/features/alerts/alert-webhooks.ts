/** Addresses of webhooks in Teams and Slack. Whoever knows one may write there: they are kept encrypted and never shown again. */
import { createEncryption } from '#server/features/single-sign-on/encryption.ts';
import type { AlertWebhookKind } from '#shared/contract/alerts.ts';

export interface AlertWebhook {
  Kind: AlertWebhookKind;
  Url: string;
}

export interface AlertWebhooks {
  seal(webhooks: readonly AlertWebhook[]): string;
  /** None where they were encrypted with another key. */
  open(sealed: string): AlertWebhook[];
  sealOne(webhook: AlertWebhook): string;
  openOne(sealed: string): AlertWebhook | null;
}

export function createAlertWebhooks(secretKey: string): AlertWebhooks {
  const encryption = createEncryption(secretKey, 'runsheet: webhooks of alerts');
  return {
    seal: (Webhooks) => encryption.encrypt({ Webhooks }),
    open: (sealed) => (encryption.decrypt(sealed) as { Webhooks: AlertWebhook[] } | null)?.Webhooks ?? [],
    sealOne: (webhook) => encryption.encrypt(webhook),
    openOne: (sealed) => encryption.decrypt(sealed) as AlertWebhook | null,
  };
}
