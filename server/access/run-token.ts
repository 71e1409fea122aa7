import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits, so that nobody can guess a token. */
export const createRunToken = (): string => randomBytes(32).toString('base64url');

/** Returns the stored form of a token. */
export const hashRunToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

export function isRunToken(token: string, hash: string): boolean {
  const given = Buffer.from(hashRunToken(token));
  const wanted = Buffer.from(hash);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
