/** The activities and checklists that tiles show, and how much of them a person may see. */
import type { Knex } from 'knex';
import type { Holder } from '#server/base/person.ts';
import type { Db } from '#server/db/dialect/types.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import { permissions, type ChecklistAccess, type ChecklistScopes } from '#server/access/checklist-access.ts';
import { isInScope, type RightScope } from '#server/access/rights/right-scope.ts';
import type { Tile } from '#shared/contract/dashboards.ts';

export interface SeenActivity {
  Id: number;
  Name: string;
  Schema: string;
  IsActive: boolean;
  Version: number;
  /** The only user whose runs may be seen; undefined if all runs may be seen. */
  onlyOf: number | undefined;
}

export interface SeenChecklist {
  Id: number;
  Name: string;
  onlyOf: number | undefined;
}

/** Null for an activity or checklist that exists but may not be seen. */
export interface SeenSources {
  activities: ReadonlyMap<number, SeenActivity | null>;
  checklists: ReadonlyMap<number, SeenChecklist | null>;
}

/** The person whose rights apply. */
export interface Viewer {
  holder: Holder;
  /** Only for public links: restricts the view to what visitors may run. */
  visitor?: Holder;
}

export interface TileSources {
  of(db: Db, tiles: readonly Tile[], viewer: Viewer): Promise<SeenSources>;
  /** Returns the names of the activities that visitors may not run. */
  notPublic(db: Db, tiles: readonly Tile[], visitor: Holder): Promise<string[]>;
}

interface ActivityRow extends Omit<SeenActivity, 'onlyOf'> {}
interface MemberRow extends ActivityRow {
  ChecklistId: number;
}
interface ChecklistRow {
  Id: number;
  Name: string;
  Schema: string;
}

const idsOf = (tiles: readonly Tile[], key: 'ActivityId' | 'ChecklistId'): number[] => [
  ...new Set(tiles.flatMap((tile) => (key in tile ? ((tile as Record<typeof key, number | null>)[key] ?? []) : []))),
];

const ACTIVITY = ['A.Id', 'A.Name', 'A.Schema', 'A.IsActive', 'A.Version'];

/** Reads the sources with at most two statements, plus one for checklists, however many tiles there are. */
async function readSources(db: Db, tiles: readonly Tile[]) {
  const activityIds = idsOf(tiles, 'ActivityId');
  const checklistIds = idsOf(tiles, 'ChecklistId');
  const rows = async <T>(ids: number[], query: () => Knex.QueryBuilder): Promise<T[]> =>
    ids.length === 0 ? [] : ((await query()) as T[]);
  return {
    activities: await rows<ActivityRow>(activityIds, () =>
      db('Activities as A').whereIn('A.Id', activityIds).select(ACTIVITY),
    ),
    checklists: await rows<ChecklistRow>(checklistIds, () =>
      db('Checklists').whereIn('Id', checklistIds).select('Id', 'Name', 'Schema'),
    ),
    members: await rows<MemberRow>(checklistIds, () =>
      db('ChecklistActivities as M')
        .join('Activities as A', 'A.Id', 'M.ActivityId')
        .whereIn('M.ChecklistId', checklistIds)
        .select('M.ChecklistId', ...ACTIVITY),
    ),
  };
}

export function createTileSources({
  access,
  checklistAccess,
}: {
  access: Pick<ActivityAccess, 'scopes'>;
  checklistAccess: Pick<ChecklistAccess, 'scopes'>;
}): TileSources {
  return {
    of: async (db, tiles, { holder, visitor }) => {
      const { activities, checklists, members } = await readSources(db, tiles);
      const scopes = await checklistAccess.scopes(holder);
      const open = visitor && (await access.scopes(visitor)).run;
      const isOpen = (activity: ActivityRow): boolean => open === undefined || isPublic(activity, open);
      return {
        activities: new Map(
          activities.map((row) => [row.Id, isOpen(row) ? seenActivity(row, scopes, holder.UserId) : null]),
        ),
        checklists: new Map(
          checklists.map((row) => {
            const of = members.filter(({ ChecklistId }) => ChecklistId === row.Id);
            return [row.Id, of.every(isOpen) ? seenChecklist(row, of, scopes, holder.UserId) : null];
          }),
        ),
      };
    },
    notPublic: async (db, tiles, visitor) => {
      const { activities, members } = await readSources(db, tiles);
      const { run } = await access.scopes(visitor);
      const names = [...activities, ...members].filter((row) => !isPublic(row, run)).map(({ Name }) => Name);
      return [...new Set(names)];
    },
  };
}

const isPublic = ({ Id, Schema, IsActive }: ActivityRow, run: RightScope): boolean =>
  IsActive && isInScope(run, { Id, Schema });

/** Applies the same rules as ActivityAccess, but to several activities at once. */
function seenActivity(row: ActivityRow, { run, edit, viewRuns }: ChecklistScopes, userId: number): SeenActivity | null {
  const keys = { Id: row.Id, Schema: row.Schema };
  if (!isInScope(edit, keys) && !(row.IsActive && isInScope(run, keys))) return null;
  return { ...row, onlyOf: isInScope(viewRuns, keys) ? undefined : userId };
}

function seenChecklist(
  row: ChecklistRow,
  members: readonly MemberRow[],
  scopes: ChecklistScopes,
  userId: number,
): SeenChecklist | null {
  const { isVisible, CanViewRuns } = permissions(row, members, scopes);
  return isVisible ? { Id: row.Id, Name: row.Name, onlyOf: CanViewRuns ? undefined : userId } : null;
}
