import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Prefixes distinguish the tokens of assistants from others, and let secret scanners find leaked ones. */
export const ACCESS_PREFIX = 'rsat_';
export const REFRESH_PREFIX = 'rsrt_';

export const newSecret = (prefix = ''): string => prefix + randomBytes(32).toString('base64url');

/** Secrets have enough entropy that a fast hash without salt protects them. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Returns whether the verifier belongs to a challenge of the method S256. RFC 7636, section 4.6. */
export function fitsChallenge(verifier: string, challenge: string): boolean {
  const computed = Buffer.from(hashOf(verifier));
  const given = Buffer.from(challenge);
  return (
    /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) && given.length === computed.length && timingSafeEqual(given, computed)
  );
}
