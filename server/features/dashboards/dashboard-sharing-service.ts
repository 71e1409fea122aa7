/** Shares of a dashboard, its public link, and whose start page it is. All changes are logged as security actions. */
import { AppError } from '#server/base/app-error.ts';
import type { Holder, Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import { createRunToken, hashRunToken } from '#server/access/run-token.ts';
import type { PublicVisitor } from '#server/access/public-visitor.ts';
import { createConcurrencyLimit } from '#server/background/concurrency-limit.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { DashboardShare, dashboardPeople, publicDashboard } from '#shared/contract/dashboards.ts';
import type { BodyOf, ResultOf } from '#shared/contract/endpoint.ts';
import { seesAll, type DashboardAccess } from './dashboard-access.ts';
import { findShareable, mayShareWith, shareableBy } from './dashboard-people.ts';
import {
  findDashboard,
  findPublicDashboard,
  findShare,
  listShares,
  listStarts,
  writeLink,
  writeOwnStart,
  writeShares,
  writeStartRoles,
  type ShareRow,
} from './dashboards-repository.ts';
import { dashboardAction, tilesOf } from './dashboards-service.ts';
import type { TileDataService } from './tile-data.ts';
import type { TileSources } from './tile-sources.ts';

export interface DashboardSharingService {
  people(person: Person, query: BodyOf<typeof dashboardPeople>): Promise<ResultOf<typeof dashboardPeople>>;
  /** Throws an AppError 400 for a person or role that the caller may not share with. Existing shares may stay. */
  share(person: Person, actor: Actor, id: number, shares: readonly DashboardShare[]): Promise<void>;
  /** Throws an AppError 409 if the dashboard shows an activity that is not public. */
  publish(person: Person, actor: Actor, link: { Id: number; Days: number | null }): Promise<{ Token: string }>;
  unpublish(person: Person, actor: Actor, id: number): Promise<void>;
  /** Throws an AppError 404 if the link was revoked or has expired. */
  open(token: string): Promise<ResultOf<typeof publicDashboard>>;
  start(person: Person): Promise<number | null>;
  setStart(person: Person, id: number | null): Promise<void>;
  /** Throws an AppError 409 for a role that the dashboard is not shared with. */
  setStartRoles(person: Person, actor: Actor, id: number, roles: readonly string[]): Promise<void>;
}

export interface DashboardSharingDeps {
  database: Database;
  access: DashboardAccess;
  rights: Pick<RightsService, 'has' | 'heldAnywhere' | 'rolesOf'>;
  sources: TileSources;
  tileData: TileDataService;
  visitor: PublicVisitor;
}

export function createDashboardSharingService(deps: DashboardSharingDeps): DashboardSharingService {
  const { database, access, rights } = deps;
  const { knex, dialect } = database;
  const opening = createConcurrencyLimit(PUBLIC_OPENING_CONCURRENCY);
  return {
    people: async (person, { DashboardId, Search }) => {
      const visible = DashboardId === undefined ? null : await access.requireShare(knex, person, DashboardId);
      const owner = visible?.dashboard.UserId ?? null;
      return findShareable(knex, await shareableBy(rights, person), { search: Search, owner });
    },
    share: (person, actor, id, shares) => share(deps, person, actor, id, shares),
    publish: (person, actor, link) => publish(deps, person, actor, link),
    unpublish: async (person, actor, id) => {
      const { CanShare } = await access.require(knex, person, id);
      if (!CanShare && !(await rights.has(person, 'sk.ManageRights')))
        throw new AppError('forbidden', 403, 'You do not have permissions for this operation');
      await inTransaction(knex, async (trx) => {
        await writeLink(trx, id, null);
        await recordActions(trx, actor, [dashboardAction('UnpublishDashboard', id)]);
      });
    },
    open: (token) => opening(() => open(deps, token)),
    start: (person) => startOf(deps, person),
    setStart: async (person, id) => {
      if (id !== null) await access.require(knex, person, id);
      await inTransaction(knex, async (trx) => {
        await dialect.lock(trx, STARTS_LOCK);
        await writeOwnStart(trx, person.UserId, id);
      });
    },
    setStartRoles: async (person, actor, id, roles) => {
      await access.require(knex, person, id);
      const unique = [...new Set(roles)];
      await inTransaction(knex, async (trx) => {
        await dialect.lock(trx, STARTS_LOCK);
        const shared = (await listShares(trx, id)).map(({ RoleName }) => RoleName);
        const missing = unique.filter((role) => !shared.includes(role));
        if (missing.length > 0)
          throw new AppError('notShared', 409, `Share the dashboard with ${missing.join(', ')} first`);
        await writeStartRoles(trx, id, unique);
        await recordActions(
          trx,
          actor,
          unique.length === 0
            ? [dashboardAction('SetStartPage', id)]
            : unique.map((TargetRole) => ({ ...dashboardAction('SetStartPage', id), TargetRole })),
        );
      });
    },
  };
}

/**
 * Maximum number of public dashboards opened concurrently, because the number of visitors is unlimited. Further
 * visitors wait.
 */
const PUBLIC_OPENING_CONCURRENCY = 4;
const STARTS_LOCK = 'runsheet.start-pages';

const isSame = (row: ShareRow, share: DashboardShare): boolean =>
  'RoleName' in share ? row.RoleName === share.RoleName : row.UserId === share.UserId;

async function share(
  { database: { knex, dialect }, access, rights }: DashboardSharingDeps,
  person: Person,
  actor: Actor,
  id: number,
  shares: readonly DashboardShare[],
): Promise<void> {
  const { dashboard } = await access.requireShare(knex, person, id);
  const isOwner = (one: DashboardShare): boolean => 'UserId' in one && one.UserId === dashboard.UserId;
  const keys = shares.map((one) => ('RoleName' in one ? `role ${one.RoleName}` : `user ${one.UserId}`));
  if (new Set(keys).size < keys.length)
    throw new AppError('sharedTwice', 400, 'Specify each role and person only once');
  await inTransaction(knex, async (trx) => {
    await dialect.lock(trx, `runsheet.dashboard.${id}`);
    const before = await listShares(trx, id);
    const added = shares.filter((one) => !before.some((row) => isSame(row, one)));
    if (added.some(isOwner) || !(await mayShareWith(trx, await shareableBy(rights, person), added)))
      throw new AppError('cannotShare', 400, 'You cannot share it with this role or person');
    await writeShares(trx, id, shares);
    await recordActions(trx, actor, [dashboardAction('ShareDashboard', id)]);
  });
}

async function publish(
  { database: { knex }, access, sources, visitor }: DashboardSharingDeps,
  person: Person,
  actor: Actor,
  { Id, Days }: { Id: number; Days: number | null },
): Promise<{ Token: string }> {
  const { dashboard } = await access.requireShare(knex, person, Id);
  const hidden = await sources.notPublic(knex, tilesOf(dashboard), await visitor.person());
  if (hidden.length > 0) {
    throw new AppError('notPublic', 409, `Not everyone can run ${hidden.join(', ')}: make them public first`);
  }
  const Token = createRunToken();
  await inTransaction(knex, async (trx) => {
    const link = { PublicTokenHash: hashRunToken(Token), PublicUserId: person.UserId, days: Days };
    await writeLink(trx, Id, link);
    await recordActions(trx, actor, [dashboardAction('PublishDashboard', Id)]);
  });
  return { Token };
}

/** Shows what visitors may run, with the rights of the person who created the link. */
async function open(
  { database: { knex }, tileData, visitor }: DashboardSharingDeps,
  token: string,
): Promise<ResultOf<typeof publicDashboard>> {
  const gone = new AppError('linkEnded', 404, 'This link no longer works');
  const dashboard = await findPublicDashboard(knex, hashRunToken(token));
  if (!dashboard) throw gone;
  const holder = await holderOf(knex, dashboard.PublicUserId ?? 0);
  if (!holder) throw gone;
  const Tiles = tilesOf(dashboard);
  return {
    Name: dashboard.Name,
    Tiles,
    Data: await tileData.of(Tiles, { holder, visitor: await visitor.person() }, null),
  };
}

/** Returns the user's current rights; undefined if they can no longer sign in. */
async function holderOf(db: Db, UserId: number): Promise<Holder | undefined> {
  const row = await db('Users').where({ UserId, Enabled: true }).whereNull('DeletedTime').first('IsUserAdmin');
  return row && { UserId, IsUserAdmin: row.IsUserAdmin, fromInternet: false };
}

/**
 * Returns the person's own choice, or else the first dashboard they may see among those of their roles, in order of
 * role name.
 */
async function startOf({ database: { knex }, access }: DashboardSharingDeps, person: Person): Promise<number | null> {
  const reader = await access.readerOf(person);
  const starts = await listStarts(knex, reader);
  for (const { DashboardId } of starts.toSorted((a, b) => Number(a.RoleName !== null) - Number(b.RoleName !== null))) {
    const dashboard = await findDashboard(knex, DashboardId);
    const isOwn = dashboard?.UserId === person.UserId || seesAll(person);
    if (dashboard && (isOwn || (await findShare(knex, DashboardId, reader)))) return DashboardId;
  }
  return null;
}
