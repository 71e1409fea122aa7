/** Secrets of webhooks, as they are kept: bound to their webhook, so that copied to another row they are nothing. */
import { createEncryption } from '#server/features/single-sign-on/encryption.ts';

export interface WebhookSecrets {
  seal(webhookKey: string, secret: string): string;
  /** Null where it was sealed with another key of the server, or for another webhook. */
  open(webhookKey: string, sealed: string): string | null;
}

export function createWebhookSecrets(secretKey: string): WebhookSecrets {
  const encryption = createEncryption(secretKey, 'runsheet: secrets of webhooks');
  return {
    seal: (key, secret) => encryption.encrypt({ key, secret }),
    open: (key, sealed) => {
      const opened = encryption.decrypt(sealed) as { key: string; secret: string } | null;
      return opened?.key === key ? opened.secret : null;
    },
  };
}
