/** Signs webhook requests. Source: Standard Webhooks, symmetric signatures. */
import { createHmac, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** @param seconds since 1970, as in the header webhook-timestamp */
export function signatureOf(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

/** Creates one signature per secret: while a secret is being replaced, receivers know either the old or the new one. */
export function signedHeaders(secrets: readonly string[], id: string, body: string): Record<string, string> {
  const seconds = Math.floor(Date.now() / 1000);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => signatureOf(secret, id, seconds, body)).join(' '),
  };
}
