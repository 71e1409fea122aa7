import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/base/app-error.ts';

/** The same characters as a UniqueId, which it becomes. */
const KEY = /^[\x21-\x7e]{1,64}$/;

/**
 * Returns the body of a start with the header Idempotency-Key as its UniqueId. The header may be a quoted string of
 * structured fields, as in draft-ietf-httpapi-idempotency-key-header, or unquoted, as most programs send it. Throws an
 * AppError 400 if it cannot be a UniqueId, or differs from the body.
 */
export function withIdempotencyKey<Body extends { UniqueId?: string | null }>(
  { headers }: Pick<FastifyRequest, 'headers'>,
  body: Body,
): Body {
  const sent = headers['idempotency-key'];
  if (sent === undefined) return body;
  const [, quoted] = /^"(.*)"$/.exec(String(sent)) ?? [];
  const UniqueId = quoted ?? String(sent);
  if (!KEY.test(UniqueId)) throw refused('Idempotency-Key must be 1 to 64 characters of ASCII without spaces');
  if ((body.UniqueId ?? UniqueId) !== UniqueId) throw refused('Idempotency-Key and UniqueId differ');
  return { ...body, UniqueId };
}

const refused = (message: string): AppError => new AppError('invalid_request', 400, message);
