import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

interface Argon2Cost {
  /** In KiB. */
  memory: number;
  passes: number;
  parallelism: number;
}

/**
 * OWASP's minimum for Argon2id: 19 MiB, two passes, one lane. If these values are raised, each password is rehashed at
 * the next sign-in.
 */
const COST: Argon2Cost = { memory: 19 * 1024, passes: 2, parallelism: 1 };
const TAG_LENGTH = 32;
const SALT_LENGTH = 16;

/** Hashes a password to a PHC string: '$argon2id$v=19$m=19456,t=2,p=1$salt$hash'. */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(SALT_LENGTH);
  const tag = await derive(password, salt, cost, TAG_LENGTH);
  const parameters = `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`;
  return `$argon2id$v=19$${parameters}$${unpadded(salt)}$${unpadded(tag)}`;
}

export async function passwordMatches(phc: string, password: string): Promise<boolean> {
  const parsed = parsePhc(phc);
  if (!parsed) return false;
  const tag = await derive(password, parsed.salt, parsed.cost, parsed.tag.length);
  return timingSafeEqual(tag, parsed.tag);
}

/** Returns whether a hash was made with a lower cost than the current one. */
export function isOutdated(phc: string): boolean {
  const cost = parsePhc(phc)?.cost;
  return !cost || cost.memory < COST.memory || cost.passes < COST.passes;
}

function derive(password: string, nonce: Buffer, cost: Argon2Cost, tagLength: number): Promise<Buffer> {
  // Depending on the keyboard, the same password may be composed or decomposed Unicode.
  const message = Buffer.from(password.normalize('NFC'), 'utf8');
  return promisify(argon2)('argon2id', { message, nonce, tagLength, ...cost });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function parsePhc(phc: string): { cost: Argon2Cost; salt: Buffer; tag: Buffer } | null {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(phc) ?? [];
  if (salt === undefined || tag === undefined) return null;
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}
