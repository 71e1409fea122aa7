/** Keys with which programs make calls as a user. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKey, User } from '#shared/contract/users.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { EscalationGuard } from '#server/features/rights/privilege-escalation.ts';
import type { Actor } from '#server/features/security-actions/actor.ts';
import { recordActions } from '#server/features/security-actions/record-actions.ts';
import type { UsersAdminService } from '#server/features/users/users-admin-service.ts';
import type { Person } from '#server/base/person.ts';
import {
  deleteApiKey,
  findApiKey,
  insertApiKey,
  listApiKeys,
  touchApiKey,
  type ApiKeyRow,
} from './api-keys-repository.ts';

/** How a key begins, so that it is known from a session's token, and found by programs that look for leaked secrets. */
export const API_KEY_PREFIX = 'rsk_';
const NOTE_USE_EVERY_SECONDS = 60;

interface NewKey extends Pick<ApiKey, 'Name' | 'Scope'> {
  ExpiryDays: number | null;
}

export interface ApiKeysService {
  list(actor: Actor, userId: number): Promise<{ UserName: string; Items: ApiKey[] }>;
  /** The answer carries the whole key: nobody can read it afterwards. */
  create(actor: Actor, userId: number, key: NewKey): Promise<ApiKey>;
  /** @param key the whole, or the part that is shown. */
  delete(actor: Actor, userId: number, key: string): Promise<void>;
  /** Whom a key stands for. Throws an AppError 401 for one that is unknown, has expired, or whose user is disabled. */
  authenticate(key: string): Promise<Person>;
}

export interface ApiKeysDeps {
  database: Pick<Database, 'knex'>;
  users: Pick<UsersAdminService, 'profile'>;
  escalationGuard: Pick<EscalationGuard, 'requireOverUser' | 'requireAllOfUser'>;
  enabled: boolean;
}

export function createApiKeysService({
  database: { knex },
  users,
  escalationGuard,
  enabled,
}: ApiKeysDeps): ApiKeysService {
  /** The user whose keys are meant. Those of administrators are theirs alone, and no key makes others. */
  async function ownerOf(actor: Actor, userId: number): Promise<User> {
    if (!enabled) throw new AppError('apiKeysDisabled', 400, 'This functionality is disabled');
    const user = await users.profile(userId);
    if (!actor.hasSession || (user.IsUserAdmin && !actor.IsUserAdmin)) {
      throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
    }
    await escalationGuard.requireOverUser(actor, user);
    return user;
  }

  return {
    list: async (actor, userId) => {
      const { UserName } = await ownerOf(actor, userId);
      return { UserName, Items: (await listApiKeys(knex, userId)).map(keyView) };
    },
    create: async (actor, UserId, { Name, Scope, ExpiryDays }) => {
      const user = await ownerOf(actor, UserId);
      await escalationGuard.requireAllOfUser(actor, user);
      const TargetUserName = user.UserName;
      const KeyId = API_KEY_PREFIX + randomBytes(6).toString('hex');
      const secret = randomBytes(32).toString('base64url');
      const row = await inTransaction(knex, async (trx) => {
        const key = { KeyId, UserId, KeyHash: hashOf(secret), Name: Name.trim(), Scope };
        const stored = await insertApiKey(trx, key, ExpiryDays);
        await recordActions(trx, actor, [{ Action: 'CreateApiKey', TargetUserName }]);
        return stored;
      });
      return { ...keyView(row), Key: `${KeyId}.${secret}` };
    },
    delete: async (actor, userId, key) => {
      const { UserName: TargetUserName } = await ownerOf(actor, userId);
      const [KeyId = ''] = key.split('.');
      await inTransaction(knex, async (trx) => {
        if (!(await deleteApiKey(trx, userId, KeyId))) throw new AppError('keyNotFound', 404, 'There is no such key');
        await recordActions(trx, actor, [{ Action: 'DeleteApiKey', TargetUserName }]);
      });
    },
    authenticate: async (key) => {
      const [KeyId = '', secret = ''] = key.split('.');
      const owner = await findApiKey(knex, KeyId);
      if (!enabled || !owner?.Enabled || !isSecretOf(owner.KeyHash, secret)) throw notSignedIn();
      if (owner.expiredFor !== null && owner.expiredFor >= 0) throw notSignedIn();
      if (owner.unusedFor === null || owner.unusedFor > NOTE_USE_EVERY_SECONDS) await touchApiKey(knex, KeyId);
      const { UserId, UserName, FirstName, LastName, Source, IsUserAdmin } = owner;
      const person = { UserId, UserName, FirstName, LastName, Source, IsUserAdmin, SessionId: '' };
      return owner.Scope === 'All' ? person : { ...person, keyScope: owner.Scope };
    },
  };
}

/** Secrets are random enough that a fast hash without salt keeps them. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

function isSecretOf(hash: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(hash), Buffer.from(hashOf(secret)));
}

function notSignedIn(): AppError {
  return new AppError('notSignedIn', 401, 'You do not have permissions for this operation');
}

function keyView({ KeyId, Name, Scope, CreationTime, ExpiryTime, LastUsedTime }: ApiKeyRow): ApiKey {
  return {
    Key: KeyId,
    Name,
    Scope,
    CreationTime: CreationTime.toISOString(),
    ExpiryTime: ExpiryTime?.toISOString() ?? null,
    LastUsedTime: LastUsedTime?.toISOString() ?? null,
  };
}
