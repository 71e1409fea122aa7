/** API keys, with which programs make calls on behalf of a user. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKey, User } from '#shared/contract/users.ts';
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { EscalationGuard } from '#server/access/rights/privilege-escalation.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { UsersAdminService } from '#server/features/users/users-admin-service.ts';
import type { Person } from '#server/base/person.ts';
import {
  countActivities,
  deleteApiKey,
  endApiKey,
  findApiKey,
  findKeyToRotate,
  insertApiKey,
  listApiKeys,
  touchApiKey,
  type ApiKeyRow,
} from './api-keys-repository.ts';

/** Prefix of all keys: it distinguishes a key from a session token and lets secret scanners find leaked keys. */
export const API_KEY_PREFIX = 'rsk_';
const NOTE_USE_EVERY_SECONDS = 60;

interface NewKey extends Pick<ApiKey, 'Name' | 'Scope' | 'Activities' | 'AssistantWrites'> {
  ExpiryDays: number | null;
}

export interface ApiKeysService {
  list(actor: Actor, userId: number): Promise<{ UserName: string; Items: ApiKey[] }>;
  /** The result contains the whole key, which cannot be read again later. */
  create(actor: Actor, userId: number, key: NewKey): Promise<ApiKey>;
  /** Creates a key with the same scope and lifetime. The old key stays valid for at most `graceHours`. */
  rotate(actor: Actor, userId: number, key: string, graceHours: number): Promise<ApiKey>;
  /** @param key the whole key, or its visible part */
  delete(actor: Actor, userId: number, key: string): Promise<void>;
  /**
   * Returns the person that a key stands for. Throws an AppError 401 if the key is unknown or expired, or if its user
   * is disabled.
   */
  authenticate(key: string): Promise<Person>;
}

export interface ApiKeysDeps {
  database: Pick<Database, 'knex'>;
  users: Pick<UsersAdminService, 'profile'>;
  escalationGuard: Pick<EscalationGuard, 'requireOverUser' | 'requireAllOfUser'>;
  enabled: boolean;
}

export function createApiKeysService(deps: ApiKeysDeps): ApiKeysService {
  const { users, escalationGuard, enabled } = deps;
  const { knex } = deps.database;
  /**
   * Returns the user that the keys belong to. Only administrators may manage an administrator's keys, and a call made
   * with a key may not manage keys.
   */
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
    create: async (actor, UserId, key) => {
      const user = await ownerOf(actor, UserId);
      await escalationGuard.requireAllOfUser(actor, user);
      const TargetUserName = user.UserName;
      const ActivityIds = await idsOf(knex, key);
      return inTransaction(knex, async (trx) => {
        const { Name, Scope, ExpiryDays, AssistantWrites = false } = key;
        const made = { UserId, Name: Name.trim(), Scope, ActivityIds, AssistantWrites };
        const created = await makeKey(trx, made, ExpiryDays);
        const note = AssistantWrites ? { KeyColumnName: 'AssistantWrites', KeyColumnValue: 'true' } : {};
        await recordActions(trx, actor, [{ Action: 'CreateApiKey', TargetUserName, ...note }]);
        return created;
      });
    },
    rotate: async (actor, UserId, key, graceHours) => {
      const user = await ownerOf(actor, UserId);
      await escalationGuard.requireAllOfUser(actor, user);
      const [KeyId = ''] = key.split('.');
      return inTransaction(knex, async (trx) => {
        const old = await findKeyToRotate(trx, UserId, KeyId);
        if (!old) throw keyNotFound();
        const { Name, Scope, ActivityIds, AssistantWrites, days } = old;
        const created = await makeKey(trx, { UserId, Name, Scope, ActivityIds, AssistantWrites }, days);
        await endApiKey(trx, KeyId, graceHours * 3600);
        await recordActions(trx, actor, [{ Action: 'RotateApiKey', TargetUserName: user.UserName }]);
        return created;
      });
    },
    delete: async (actor, userId, key) => {
      const { UserName: TargetUserName } = await ownerOf(actor, userId);
      const [KeyId = ''] = key.split('.');
      await inTransaction(knex, async (trx) => {
        if (!(await deleteApiKey(trx, userId, KeyId))) throw keyNotFound();
        await recordActions(trx, actor, [{ Action: 'DeleteApiKey', TargetUserName }]);
      });
    },
    authenticate: async (key) => {
      if (!enabled) throw notSignedIn('API keys are turned off');
      return personOfKey(knex, key);
    },
  };
}

async function personOfKey(knex: Db, key: string): Promise<Person> {
  const [KeyId = '', secret = ''] = key.split('.');
  const owner = await findApiKey(knex, KeyId);
  if (!owner || !isSecretOf(owner.KeyHash, secret)) throw notSignedIn('no such API key');
  if (!owner.Enabled) throw notSignedIn('the user of the API key is disabled', owner.UserName);
  if (owner.expiredFor !== null && owner.expiredFor >= 0) throw notSignedIn('the API key has expired', owner.UserName);
  if (owner.unusedFor === null || owner.unusedFor > NOTE_USE_EVERY_SECONDS) await touchApiKey(knex, KeyId);
  const { UserId, UserName, FirstName, LastName, Source, IsUserAdmin } = owner;
  const mayWriteUnasked = owner.AssistantWrites;
  const person = { UserId, UserName, FirstName, LastName, Source, IsUserAdmin, SessionId: '', mayWriteUnasked };
  if (owner.Scope === 'All') return person;
  return { ...person, keyScope: owner.Scope, keyActivities: readIds(owner.ActivityIds) ?? undefined };
}

type KeyToMake = Pick<ApiKeyRow, 'UserId' | 'Name' | 'Scope' | 'ActivityIds' | 'AssistantWrites'>;

/** Returns the whole key, including its secret. */
async function makeKey(trx: Db, key: KeyToMake, days: number | null): Promise<ApiKey> {
  const KeyId = API_KEY_PREFIX + randomBytes(6).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  const stored = await insertApiKey(trx, { ...key, KeyId, KeyHash: hashOf(secret) }, days);
  return { ...keyView(stored), Key: `${KeyId}.${secret}` };
}

/**
 * Returns the activity ids in their stored form; null for all activities. Throws an AppError 400 if the scope is not
 * Run, or if an activity does not exist.
 */
async function idsOf(knex: Db, { Scope, Activities }: NewKey): Promise<string | null> {
  if (Activities === null) return null;
  if (Scope !== 'Run') throw invalid('Only a key for running activities can be limited to some of them');
  const ids = [...new Set(Activities)];
  if ((await countActivities(knex, ids)) < ids.length) throw invalid('There is no such activity');
  return JSON.stringify(ids);
}

/** Secrets have enough entropy that a fast hash without salt protects them. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

function isSecretOf(hash: string, secret: string): boolean {
  return timingSafeEqual(Buffer.from(hash), Buffer.from(hashOf(secret)));
}

const keyNotFound = (): AppError => new AppError('keyNotFound', 404, 'There is no such key');
const invalid = (message: string): AppError => new AppError('invalidKey', 400, message);
const readIds = (text: string | null): number[] | null => (text === null ? null : (JSON.parse(text) as number[]));

function notSignedIn(reason: string, user?: string): AppError {
  const logged = { reason, user };
  return new AppError('notSignedIn', 401, 'You do not have permissions for this operation', { logged });
}

function keyView(row: ApiKeyRow): ApiKey {
  const { KeyId, Name, Scope, ActivityIds, AssistantWrites, CreationTime, ExpiryTime, LastUsedTime } = row;
  return {
    Key: KeyId,
    Name,
    Scope,
    Activities: readIds(ActivityIds),
    AssistantWrites,
    CreationTime: CreationTime.toISOString(),
    ExpiryTime: ExpiryTime?.toISOString() ?? null,
    LastUsedTime: LastUsedTime?.toISOString() ?? null,
  };
}
