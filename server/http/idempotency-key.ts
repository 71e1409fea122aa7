import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/base/app-error.ts';
import { IDEMPOTENCY_KEY_HEADER } from '#shared/contract/headers.ts';

/** The same characters as a UniqueId, which it becomes. */
const KEY = /^[\x21-\x7e]{1,64}$/;

/**
 * Returns the header Idempotency-Key of a call that creates something; null if it has none. The header may be a quoted
 * string of structured fields, as in draft-ietf-httpapi-idempotency-key-header, or unquoted, as most programs send it.
 * Throws an AppError 400 if it cannot be a UniqueId.
 */
export function idempotencyKeyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const sent = headers[IDEMPOTENCY_KEY_HEADER];
  if (sent === undefined) return null;
  const [, quoted] = /^"(.*)"$/.exec(String(sent)) ?? [];
  const key = quoted ?? String(sent);
  if (!KEY.test(key)) throw refused('Idempotency-Key must consist of 1 to 64 ASCII characters without spaces');
  return key;
}

/**
 * Returns the body of a start with the header Idempotency-Key as its UniqueId. Throws an AppError 400 if it
 * cannot be a UniqueId, or differs from the body.
 */
export function withIdempotencyKey<Body extends { UniqueId?: string | null }>(
  { headers }: Pick<FastifyRequest, 'headers'>,
  body: Body,
): Body {
  const UniqueId = idempotencyKeyOf({ headers });
  if (UniqueId === null) return body;
  if ((body.UniqueId ?? UniqueId) !== UniqueId) throw refused('Idempotency-Key and UniqueId differ');
  return { ...body, UniqueId };
}

const refused = (message: string): AppError => new AppError('invalid_request', 400, message);
