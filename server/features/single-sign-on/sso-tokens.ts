import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, base64url. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

/** Tokens are random enough that a fast hash without salt keeps them; names are hashed to one length. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
