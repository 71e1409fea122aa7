/**
 * Checks whether a call is signed with the secret of its trigger. Sources: Standard Webhooks; GitHub, "Validating
 * webhook deliveries".
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { signatureOf } from '#server/automation/deliveries/signature.ts';
import { INBOUND_SECONDS, type TriggerPlan } from '#shared/contract/triggers.ts';

export type Headers = Readonly<Record<string, string | string[] | undefined>>;
type Scheme = Extract<TriggerPlan, { Kind: 'Webhook' }>['Scheme'];

const MAX_ID_LENGTH = 255;

/** Returns the signed data that identifies this call; null if the call is not signed correctly. */
export function signedSubject(
  scheme: Scheme,
  secret: string,
  { headers, body, now }: { headers: Headers; body: string; now: Date },
): string | null {
  const of = (name: string): string => {
    const value = headers[name];
    return typeof value === 'string' ? value : '';
  };
  if (scheme === 'Hub') {
    const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    // GitHub signs only the body: an id or a time could not be trusted.
    return isSame(of('x-hub-signature-256').toLowerCase(), expected) ? `body ${expected.slice(7)}` : null;
  }
  const [id, seconds] = [of('webhook-id'), of('webhook-timestamp')];
  if (id === '' || id.length > MAX_ID_LENGTH || !/^\d{1,12}$/.test(seconds)) return null;
  if (Math.abs(now.getTime() / 1000 - Number(seconds)) > INBOUND_SECONDS) return null;
  const expected = signatureOf(secret, id, Number(seconds), body);
  const isSigned = of('webhook-signature')
    .split(' ')
    .slice(0, 10)
    .some((sent) => isSame(sent, expected));
  return isSigned ? `id ${createHmac('sha256', '').update(id).digest('hex')}` : null;
}

function isSame(sent: string, expected: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
