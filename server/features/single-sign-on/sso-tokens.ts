import { createHash, randomBytes } from 'node:crypto';

/** Maximum time to sign in at the provider. */
export const REQUEST_SECONDS = 600;
/** Maximum time for the page to load and redeem its one-time token. */
export const TICKET_SECONDS = 60;

/** 256 random bits, base64url. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

/** Tokens have enough entropy that a fast hash without salt protects them. Names are hashed to a fixed length. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
