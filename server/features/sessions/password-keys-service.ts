import { constants, createPrivateKey, generateKeyPair, privateDecrypt, randomBytes, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { PasswordKey } from '#shared/contract/auth.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { deleteExpiredPasswordKeys, insertPasswordKey, takePasswordKey } from './password-keys-repository.ts';

const MODULUS_BITS = 3072;
const LIFETIME_SECONDS = 120;
/**
 * Milliseconds during which requests share a key pair, each with its own KeyId. Generating a pair of this length takes
 * a fifth of a second, and anybody may request a key.
 */
const PAIR_MS = 60_000;

export interface PasswordKeysService {
  /** Creates a key for one password and returns its public half. It does not reveal whether such a user exists. */
  generate(userNameKey: string): Promise<PasswordKey>;
  /**
   * Decrypts texts that were encrypted with keys generated for that name, and uses up the keys. Throws an AppError 400
   * if a key has expired or been used, or if a text was not encrypted with it.
   */
  decrypt(userNameKey: string, encrypted: readonly string[]): Promise<string[]>;
}

type Pair = Promise<{ publicKey: KeyObject; privateKey: KeyObject }>;

const makePair = (): Pair => promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });

/** Returns a function that returns the current pair. An old pair is used until the next one is ready. */
export function createPairSource(now: () => number = () => performance.now()): () => Pair {
  let current: { pair: Pair; createdAt: number } | null = null;
  let isMaking = false;

  function make(): Pair {
    isMaking = true;
    const pair = makePair();
    const created = { pair, createdAt: now() };
    const done = pair.then(
      () => void (current = created),
      () => void (current = current === created ? null : current),
    );
    void done.finally(() => (isMaking = false));
    current ??= created;
    return pair;
  }

  return () => {
    if (current === null) return make();
    if (now() - current.createdAt > PAIR_MS && !isMaking) void make().catch(() => undefined);
    return current.pair;
  };
}

/** Shared by all portals of a process. */
const pairOfProcess = createPairSource();

export function createPasswordKeysService(
  { knex }: Pick<Database, 'knex'>,
  pairOfNow: () => Pair = pairOfProcess,
): PasswordKeysService {
  async function privateKeys(userNameKey: string, keyIds: string[]) {
    const keys = new Map<string, ReturnType<typeof createPrivateKey>>();
    for (const keyId of new Set(keyIds)) {
      const der = await takePasswordKey(knex, keyId, userNameKey);
      if (der === undefined) throw refusal();
      keys.set(keyId, createPrivateKey({ key: Buffer.from(der, 'base64'), format: 'der', type: 'pkcs8' }));
    }
    return keys;
  }

  return {
    generate: async (userNameKey) => {
      const { publicKey, privateKey } = await pairOfNow();
      const KeyId = randomBytes(16).toString('base64url');
      const PrivateKey = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
      await deleteExpiredPasswordKeys(knex);
      await insertPasswordKey(knex, { KeyId, UserNameKey: userNameKey, PrivateKey }, LIFETIME_SECONDS);
      return { KeyId, Key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64') };
    },
    decrypt: async (userNameKey, encrypted) => {
      const parts = encrypted.map(splitPart);
      const keys = await privateKeys(
        userNameKey,
        parts.map(({ keyId }) => keyId),
      );
      return parts.map(({ keyId, bytes }) => decryptPart(keys.get(keyId)!, bytes));
    },
  };
}

const EXPIRED = 'The page was open for too long. Please try again.';

function refusal(cause?: unknown): AppError {
  return new AppError('passwordKey', 400, EXPIRED, { cause, modelState: { '': [EXPIRED] } });
}

/** Splits '<KeyId>.<base64>', the format of encrypted passwords. */
function splitPart(text: string): { keyId: string; bytes: Buffer } {
  const [, keyId, base64] = /^([A-Za-z0-9_-]{1,43})\.([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  if (keyId === undefined || base64 === undefined) throw refusal();
  return { keyId, bytes: Buffer.from(base64, 'base64') };
}

function decryptPart(key: ReturnType<typeof createPrivateKey>, bytes: Buffer): string {
  try {
    const options = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
    return privateDecrypt(options, bytes).toString('utf8');
  } catch (cause) {
    throw refusal(cause);
  }
}
