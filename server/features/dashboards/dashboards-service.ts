/** Lists, shows, creates and changes dashboards. */
import { AppError } from '#server/base/app-error.ts';
import { fullName } from '#server/base/full-name.ts';
import type { Person } from '#server/base/person.ts';
import { createOnce } from '#server/access/create-once.ts';
import type { Database } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { RightsService } from '#server/access/rights/rights-service.ts';
import type { Actor } from '#server/access/actor.ts';
import { recordActions } from '#server/access/audit/record-actions.ts';
import type { VersionCatalog } from '#server/versions/version-catalog.ts';
import { isFileUsage, isSingleNumber } from '#shared/codecs/input-form.ts';
import {
  DASHBOARDS_PAGE,
  type Dashboard,
  type DashboardItem,
  type dashboardList,
  type DashboardShare,
  type saveDashboard,
  type Tile,
  type TileData,
  type TileSources,
} from '#shared/contract/dashboards.ts';
import type { BodyOf, ResultOf } from '#shared/contract/endpoint.ts';
import { seesAll, type DashboardAccess } from './dashboard-access.ts';
import {
  findPeople,
  insertDashboard,
  listDashboards,
  listShares,
  listStartRoles,
  listStarts,
  removeDashboard,
  updateDashboard,
  type DashboardRow,
  type ListedRow,
  type ShareRow,
} from './dashboards-repository.ts';
import { personOf } from './dashboard-people.ts';
import type { TileDataService } from './tile-data.ts';

export interface DashboardsService {
  list(person: Person, query: BodyOf<typeof dashboardList>): Promise<ResultOf<typeof dashboardList>>;
  details(person: Person, id: number): Promise<Dashboard>;
  /**
   * Throws an AppError 409 if the dashboard no longer has the revision. Tiles keep their ids when they are changed, so
   * new values could appear under old titles.
   */
  data(person: Person, id: number, revision: number | null): Promise<TileData[]>;
  preview(person: Person, tiles: readonly Tile[]): Promise<TileData[]>;
  sources(person: Person, activityId: number): Promise<TileSources>;
  /**
   * Throws an AppError 409 if somebody else has changed the dashboard since.
   * @param UniqueId see createOnce
   */
  save(
    person: Person,
    draft: BodyOf<typeof saveDashboard>,
    UniqueId: string | null,
  ): Promise<ResultOf<typeof saveDashboard>>;
  delete(person: Person, actor: Actor, id: number): Promise<void>;
}

export interface DashboardsDeps {
  database: Database;
  access: DashboardAccess;
  activityAccess: ActivityAccess;
  versions: VersionCatalog;
  rights: Pick<RightsService, 'has'>;
  tileData: TileDataService;
}

const DASHBOARDS_OF_ONE_MAX = 200;

const dashboardChanged = (): AppError =>
  new AppError('dashboardChanged', 409, 'The dashboard has been changed since you opened it: load it again');

const nameKey = (name: string): string => name.toLowerCase();
export const tilesOf = ({ Tiles }: Pick<DashboardRow, 'Tiles'>): Tile[] => JSON.parse(Tiles) as Tile[];

export function createDashboardsService(deps: DashboardsDeps): DashboardsService {
  const { database, access, activityAccess, versions, tileData } = deps;
  const { knex } = database;
  return {
    list: async (person, { Search, After }) => {
      const reader = seesAll(person) ? null : await access.readerOf(person);
      const after = After && { NameKey: nameKey(After.Name), Id: After.Id };
      const page = { search: Search.trim(), after, limit: DASHBOARDS_PAGE + 1 };
      const rows = await listDashboards(knex, reader, page);
      const Items = rows.slice(0, DASHBOARDS_PAGE).map((row) => itemOf(row, person));
      return { Items, HasMore: rows.length > Items.length };
    },
    details: (person, id) => details(deps, person, id),
    data: async (person, id, revision) => {
      const { dashboard } = await access.require(knex, person, id);
      if (revision !== null && revision !== dashboard.Revision) throw dashboardChanged();
      return tileData.of(tilesOf(dashboard), { holder: person }, person);
    },
    preview: (person, tiles) => tileData.of(tiles, { holder: person }, person),
    sources: async (person, activityId) => {
      const { activity } = await activityAccess.require(knex, person, activityId);
      const version = await versions.get(activityId, activity.Version);
      const Outputs = (version?.outputs ?? []).filter(({ Info }) => !isFileUsage(Info.CellUsages[0]));
      return {
        Name: activity.Name,
        Outputs: Outputs.map(({ Id, Name, Info }) => ({
          Id,
          Name,
          IsTable: Info.RangeType !== 'SingleCell',
          IsNumber: isSingleNumber(Info),
        })),
      };
    },
    save: (...saved) => save(deps, ...saved),
    delete: async (person, actor, id) => {
      const { dashboard } = await access.requireShare(knex, person, id);
      await inTransaction(knex, async (trx) => {
        const isShared = dashboard.PublicTokenHash !== null || (await listShares(trx, id)).length > 0;
        await removeDashboard(trx, id);
        if (isShared) await recordActions(trx, actor, [dashboardAction('DeleteDashboard', id)]);
      });
    },
  };
}

export const dashboardAction = <A extends string>(Action: A, id: number) => ({
  Action,
  KeyColumnName: 'DashboardId',
  KeyColumnValue: String(id),
});

function itemOf(row: ListedRow, person: Person): DashboardItem {
  const { Id, Name, UserId, ModifiedTime, IsPublic, IsEditable } = row;
  const IsOwn = UserId === person.UserId;
  return {
    Id,
    Name,
    OwnerFullName: fullName(row),
    IsOwn,
    CanEdit: IsOwn || IsEditable === 1,
    IsPublic: IsPublic === 1,
    ModifiedTime: ModifiedTime.toISOString(),
  };
}

const shareOf = ({ RoleName, UserId, CanEdit }: ShareRow): DashboardShare =>
  RoleName === null ? { UserId: UserId!, CanEdit } : { RoleName, CanEdit };

async function details(
  { database: { knex }, access, rights }: DashboardsDeps,
  person: Person,
  id: number,
): Promise<Dashboard> {
  const { dashboard, CanEdit, CanShare } = await access.require(knex, person, id);
  const starts = await listStarts(knex, { userId: person.UserId, roles: [] });
  const shares = CanShare ? await listShares(knex, id) : [];
  const CanSetRoles = await rights.has(person, 'sk.ManageRoles');
  const people = await findPeople(knex, [
    ...shares.flatMap(({ UserId }) => UserId ?? []),
    ...(dashboard.PublicUserId === null ? [] : [dashboard.PublicUserId]),
  ]);
  const { PublicTime, PublicExpiryTime, PublicUserId } = dashboard;
  const maker = people.find(({ UserId }) => UserId === PublicUserId);
  return {
    Id: id,
    Name: dashboard.Name,
    OwnerFullName: fullName(dashboard),
    Revision: dashboard.Revision,
    CanEdit,
    CanShare,
    CanPublish: CanShare && (await rights.has(person, 'sk.ManageRights')),
    CanSetRoles,
    Tiles: tilesOf(dashboard),
    IsStart: starts.some(({ DashboardId }) => DashboardId === id),
    Shares: shares.map(shareOf),
    Users: CanShare ? people.map(personOf) : [],
    StartRoles: CanSetRoles ? await listStartRoles(knex, id) : [],
    PublicLink: PublicTime && {
      MadeByFullName: maker ? fullName(maker) : '',
      Time: PublicTime.toISOString(),
      ExpiryTime: PublicExpiryTime?.toISOString() ?? null,
    },
  };
}

async function save(
  { database, access }: DashboardsDeps,
  ...[person, draft, UniqueId]: Parameters<DashboardsService['save']>
): Promise<ResultOf<typeof saveDashboard>> {
  const { knex } = database;
  const { Id, Revision, Name: typed, Tiles } = draft;
  checkTiles(Tiles);
  const Name = typed.trim();
  const row = { Name, NameKey: nameKey(Name), Tiles: JSON.stringify(Tiles) };
  if (Id !== null) {
    await access.requireEdit(knex, person, Id);
    if (await updateDashboard(knex, { Id, Revision }, row)) return { Id, Revision: Revision + 1 };
    throw dashboardChanged();
  }
  const { UserId } = person;
  const creation = { UserId, UniqueId, RecordTable: 'Dashboards', content: draft };
  const made = await createOnce(database, creation, async (trx) => {
    const [owned] = await trx('Dashboards').where({ UserId }).count<{ Count: number }[]>({ Count: '*' });
    if ((owned?.Count ?? 0) >= DASHBOARDS_OF_ONE_MAX) {
      throw new AppError(
        'tooManyDashboards',
        409,
        `You already have ${DASHBOARDS_OF_ONE_MAX} dashboards: delete one first`,
      );
    }
    return insertDashboard(trx, { ...row, UserId, Revision: 1 });
  });
  return { Id: made, Revision: 1 };
}

/** Throws an AppError 400 for problems that the schema cannot express. */
function checkTiles(tiles: readonly Tile[]): void {
  const invalid = (text: string): AppError => new AppError('invalidTile', 400, text);
  if (new Set(tiles.map(({ Id }) => Id)).size < tiles.length) throw invalid('Two tiles have the same Id');
  for (const tile of tiles) {
    if (tile.X + tile.W > 12) throw invalid('A tile extends beyond the last column');
    if (tile.Kind === 'Outcomes' && (tile.ActivityId === null) === (tile.ChecklistId === null))
      throw invalid('A tile with outcomes needs either an activity or a checklist');
  }
}
