/** Shares activities: who has access, people and roles to whom it is given, and the public link. */
import type { Knex } from 'knex';
import { AppError } from '#server/base/app-error.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { GrantsService } from '#server/features/rights/grants-service.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { BodyOf, ResultOf } from '#shared/contract/endpoint.ts';
import {
  SHARE_PAGE_SIZE,
  type ActivityShares,
  type savePublicLink,
  type shareActivity,
  type shareCandidates,
  type unshareActivity,
} from '#shared/contract/sharing.ts';
import { LEVEL_BRINGS, LEVEL_RIGHTS, SHARE_LEVELS, SHARED_RIGHTS } from '#shared/rules/share-levels.ts';
import type { AccessMailer } from './access-mailer.ts';
import { insertNotices } from './access-notices-repository.ts';
import { requireNotDenied } from './denied-grantees.ts';
import { findLink, linkChange, requireKeptLimits, writeLink } from './public-links-service.ts';
import { listShares, roleHolder, userHolder } from './share-list.ts';
import {
  countAdministrators,
  findUsers,
  listOwnGrants,
  listRoleMembers,
  listRoles,
  searchUsers,
} from './shares-repository.ts';
import type { SharingAccess } from '#server/access/sharing-access.ts';

export interface SharesService {
  /** All of these throw what SharingAccess.require throws. */
  list(person: Person, activityId: number, skip: number): Promise<ActivityShares>;
  candidates(person: Person, activityId: number, search: string): Promise<ResultOf<typeof shareCandidates>>;
  /**
   * Throws an AppError 403 for rights that the person does not hold, 404 for a user or role that does not exist, and
   * 409 if a denial would be overridden.
   */
  share(person: Person, actor: Actor, activityId: number, share: BodyOf<typeof shareActivity>): Promise<void>;
  unshare(person: Person, actor: Actor, activityId: number, from: BodyOf<typeof unshareActivity>): Promise<void>;
  /**
   * These two throw an AppError 403 unless the person manages rights. The first one throws an AppError 409 if a limit is
   * to stay, but the link has ended.
   */
  saveLink(person: Person, actor: Actor, activityId: number, limits: BodyOf<typeof savePublicLink>): Promise<void>;
  revokeLink(person: Person, actor: Actor, activityId: number): Promise<void>;
}

export interface SharesDeps {
  database: Database;
  sharing: SharingAccess;
  grants: Pick<GrantsService, 'changeTogether' | 'internet' | 'lock'>;
  mailer: AccessMailer;
}

/** People and roles that a search offers. */
const OFFERED = 8;
/** Maximum number of people who are notified of one share. Larger roles learn of it from the list of activities. */
const MAX_NOTIFIED = 1000;

export function createSharesService(deps: SharesDeps): SharesService {
  const { database, sharing } = deps;
  const { knex } = database;
  return {
    list: (person, activityId, skip) => list(deps, person, activityId, skip),
    candidates: async (person, activityId, search) => {
      await sharing.require(knex, person, activityId);
      const words = search.trim();
      const roles = await listRoles(knex, words);
      const users = await searchUsers(knex, words, { limit: OFFERED + 1, isEnabledOnly: true });
      return {
        Items: [...roles.slice(0, OFFERED).map(roleHolder), ...users.slice(0, OFFERED).map(userHolder)],
        HasMore: roles.length > OFFERED || users.length > OFFERED,
      };
    },
    share: (person, actor, activityId, given) => share(deps, person, actor, activityId, given),
    unshare: (person, actor, activityId, from) => unshare(deps, person, actor, activityId, from),
    saveLink: async (person, actor, activityId, limits) => {
      await requireManager(deps, person, activityId);
      await inTransaction(knex, async (trx) => {
        await deps.grants.lock(trx);
        await requireKeptLimits(trx, activityId, limits);
        await deps.grants.changeTogether(trx, actor, linkChange('grant', activityId));
        await writeLink(trx, activityId, limits);
        await recordActions(trx, actor, [{ Action: 'LimitPublicLink', ...onActivity(activityId) }]);
      });
    },
    revokeLink: async (person, actor, activityId) => {
      await requireManager(deps, person, activityId);
      await inTransaction(knex, (trx) => deps.grants.changeTogether(trx, actor, linkChange('delete', activityId)));
    },
  };
}

const onActivity = (activityId: number) => ({
  RightName: 'sk.RunActivity',
  KeyColumnName: 'Id',
  KeyColumnValue: String(activityId),
});

async function requireManager({ database, sharing }: SharesDeps, person: Person, activityId: number): Promise<void> {
  const { isManager } = await sharing.require(database.knex, person, activityId);
  if (!isManager) throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
}

async function list(deps: SharesDeps, person: Person, activityId: number, skip: number): Promise<ActivityShares> {
  const { database, sharing, grants } = deps;
  const { knex } = database;
  const { activity, isManager } = await sharing.require(knex, person, activityId);
  const held = await sharing.givable(person, SHARED_RIGHTS, activity);
  const shares = await listShares(knex, activity);
  const internet = await grants.internet({ name: 'sk.RunActivity', keyColumn: 'Id', value: String(activityId) });
  const link = await findLink(knex, activityId);
  const isExpired = link?.ExpiryTime ? link.ExpiryTime.getTime() <= Date.now() : false;
  return {
    Items: shares.slice(skip, skip + SHARE_PAGE_SIZE),
    HasMore: shares.length > skip + SHARE_PAGE_SIZE,
    AdministratorCount: await countAdministrators(knex),
    Schema: activity.Schema,
    Levels: SHARE_LEVELS.filter((level) => LEVEL_BRINGS[level].every((right) => held.includes(right))),
    PublicLink: {
      IsOpen: internet.OverallInternetAccess === 1 && !isExpired,
      IsOwn: internet.ExplicitInternetAccess === 1,
      ExpiryTime: link?.ExpiryTime?.toISOString() ?? null,
      MaxRuns: link?.MaxRuns ?? null,
      RunCount: link?.RunCount ?? 0,
    },
    CanPublish: isManager,
  };
}

async function share(
  { database, sharing, grants, mailer }: SharesDeps,
  person: Person,
  actor: Actor,
  activityId: number,
  { Level, UserIds, Roles, Message }: BodyOf<typeof shareActivity>,
): Promise<void> {
  const { activity, isManager } = await sharing.require(database.knex, person, activityId);
  const brings = LEVEL_BRINGS[Level];
  const by = actor.UserFullName || actor.UserName;
  await sharing.requireGivable(person, brings, activity);
  const userIds = [...new Set(UserIds)];
  const roles = [...new Set(Roles)];
  await inTransaction(database.knex, async (trx) => {
    const users = await requireGrantees(trx, userIds, roles);
    await grants.lock(trx);
    const keys = { Id: activityId, Schema: activity.Schema };
    if (!isManager) await requireNotDenied(trx, { rights: brings, keys, userIds, roles });
    const rights = LEVEL_RIGHTS[Level];
    await grants.changeTogether(trx, actor, {
      how: 'grant',
      rights,
      keyColumn: 'Id',
      value: String(activityId),
      users,
      roles,
    });
    const members = await listRoleMembers(trx, roles, MAX_NOTIFIED);
    const notified = [...new Set([...userIds, ...members])].filter((userId) => userId !== person.UserId);
    const told = { ActivityId: activityId, ActivityRunId: null, ByName: by, Message: Message.trim() };
    await insertNotices(
      trx,
      notified.map((UserId) => ({ UserId, Kind: 'Shared', ...told })),
    );
    const about = { kind: 'Shared' as const, by, name: activity.Name, message: Message };
    await mailer.queue(trx, notified, { ...about, path: `activities/${activityId}/` });
  });
  mailer.kick();
}

/** Returns the names of the users. Throws an AppError 404 if one of the users or roles cannot be given access. */
async function requireGrantees(
  trx: Knex.Transaction,
  userIds: readonly number[],
  roles: readonly string[],
): Promise<Map<number, string>> {
  if (userIds.length + roles.length === 0) throw new AppError('nobodyChosen', 400, 'Choose a person or a role first');
  const users = (await findUsers(trx, userIds)).filter(({ Enabled }) => Enabled);
  if (users.length < userIds.length) throw new AppError('userNotFound', 404, 'There is no such user');
  const known = new Set((await listRoles(trx)).filter(({ IsActive }) => IsActive).map(({ Name }) => Name));
  if (roles.some((role) => !known.has(role))) throw new AppError('roleNotFound', 404, 'There is no such role');
  return new Map(users.map(({ UserId, UserName }) => [UserId, UserName]));
}

/** Deletes what was granted on the activity itself. Denials stay. */
async function unshare(
  { database, sharing, grants }: SharesDeps,
  person: Person,
  actor: Actor,
  activityId: number,
  { UserIds, Roles }: BodyOf<typeof unshareActivity>,
): Promise<void> {
  await sharing.require(database.knex, person, activityId);
  await inTransaction(database.knex, async (trx) => {
    await grants.lock(trx);
    const own = await listOwnGrants(trx, activityId);
    const names = new Map((await findUsers(trx, UserIds)).map(({ UserId, UserName }) => [UserId, UserName]));
    for (const right of SHARED_RIGHTS) {
      const granted = own.filter(({ RightName }) => RightName === right);
      const has = (kind: 'user' | 'role', grantee: string | number): boolean =>
        granted.some(({ GranteeKind, Grantee }) => GranteeKind === kind && Grantee === String(grantee));
      const users = new Map([...names].filter(([userId]) => has('user', userId)));
      const roles = Roles.filter((role) => has('role', role));
      const change = {
        how: 'delete' as const,
        rights: [right],
        keyColumn: 'Id',
        value: String(activityId),
        users,
        roles,
      };
      await grants.changeTogether(trx, actor, change);
    }
  });
}
