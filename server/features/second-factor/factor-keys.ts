/** The keys that users share with their authenticator apps, and the check of codes against them. */
import { randomBytes } from 'node:crypto';
import type { SecondFactorKey } from '#shared/contract/auth.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { createEncryption } from '#server/access/encryption.ts';
import type { UserRow } from '#server/features/users/users-service.ts';
import { readDatabaseTime, storePendingKey, useStep } from './second-factor-repository.ts';
import { base32, keyUri, matchingStep } from './totp.ts';

/** RFC 4226 section 4 recommends 160 bits. */
const KEY_BYTES = 20;

type Owner = Pick<UserRow, 'UserId' | 'UserName' | 'SecondFactorKey' | 'SecondFactorStep'>;

export interface FactorKeys {
  /**
   * Returns the key that is being set up, creating one if there is none. Throws an AppError 400 if a factor is already
   * turned on.
   */
  pending(user: Owner): Promise<SecondFactorKey>;
  /**
   * Returns whether the code is currently correct for the user's key, and uses it up. Throws an AppError 400 if the key
   * cannot be decrypted.
   */
  accepts(user: Owner, code: string): Promise<boolean>;
}

const UNREADABLE =
  'Your second factor cannot be checked: the key of this server has changed. Please ask an administrator to remove your second factor.';

export function createFactorKeys(
  { knex }: Pick<Database, 'knex'>,
  { secretKey, issuer, tolerance }: { secretKey: string; issuer: string; tolerance: number },
): FactorKeys {
  const encryption = createEncryption(secretKey, 'runsheet: keys of second factors');

  /** The key is bound to its user: copied to another row, it is rejected. */
  function open({ UserId, SecondFactorKey }: Owner): Buffer | null {
    const opened = SecondFactorKey === null ? null : (encryption.decrypt(SecondFactorKey) as EncryptedKey | null);
    return opened?.UserId === UserId ? Buffer.from(opened.key, 'base64') : null;
  }

  return {
    pending: async (user) => {
      let key = open(user);
      if (!key) {
        key = randomBytes(KEY_BYTES);
        const encrypted = encryption.encrypt({
          UserId: user.UserId,
          key: key.toString('base64'),
        } satisfies EncryptedKey);
        if (!(await storePendingKey(knex, user.UserId, encrypted))) throw alreadyOn();
      }
      return { Key: base32(key), Uri: keyUri(key, issuer, user.UserName) };
    },
    accepts: async (user, code) => {
      const key = open(user);
      if (!key) throw new AppError('second_factor_unreadable', 400, UNREADABLE);
      const time = await readDatabaseTime(knex);
      const step = matchingStep(key, code.replaceAll(/\s/g, ''), { time, lastStep: user.SecondFactorStep, tolerance });
      return step !== null && useStep(knex, user.UserId, step);
    },
  };
}

interface EncryptedKey {
  UserId: number;
  /** In base64. */
  key: string;
}

export const alreadyOn = (): AppError => new AppError('second_factor_on', 400, 'Your second factor is already on');
