import type { Db } from '#server/db/dialect/types.ts';
import type { ActivityLinksRow } from '#server/db/tables.ts';
import { insertedId } from '#server/db/inserted-id.ts';

export type LinkRow = ActivityLinksRow;

/** A link with the activity it leads to. */
export interface LinkWithTarget extends LinkRow {
  LinkedActivityName: string;
}

const COLUMNS = ['Id', 'Name', 'ActivityId', 'LinkedActivityId', 'LinkInfo'] as const;

const links = (db: Db) =>
  db('ActivityLinks as L')
    .join('Activities as T', 'T.Id', 'L.LinkedActivityId')
    .select<LinkWithTarget[]>([...COLUMNS.map((column) => `L.${column}`), 'T.Name as LinkedActivityName']);

export async function findLink(db: Db, id: number): Promise<LinkWithTarget | undefined> {
  return links(db).where('L.Id', id).first();
}

export async function listLinks(db: Db, activityId: number): Promise<LinkWithTarget[]> {
  return links(db).where('L.ActivityId', activityId).orderBy(['L.Name', 'L.Id']);
}

export interface NeighbourRow {
  Id: number;
  Name: string;
  ActivityId: number;
  ActivityName: string;
  Schema: string;
  IsActive: boolean;
}

/** Returns the links from the activity ('to') or to it ('from'), with the activities at their other ends. */
export async function listNeighbours(
  db: Db,
  activityId: number,
  direction: 'to' | 'from',
  limit: number,
): Promise<NeighbourRow[]> {
  const [here, there] =
    direction === 'to' ? ['L.ActivityId', 'L.LinkedActivityId'] : ['L.LinkedActivityId', 'L.ActivityId'];
  return db('ActivityLinks as L')
    .join('Activities as A', 'A.Id', there)
    .where(here, activityId)
    .orderBy(['A.Name', 'L.Name', 'L.Id'])
    .limit(limit)
    .select('L.Id', 'L.Name', 'A.Id as ActivityId', 'A.Name as ActivityName', 'A.Schema', 'A.IsActive');
}

/** Returns the links from and to the activity. */
export async function listLinksAround(db: Db, activityId: number): Promise<LinkRow[]> {
  return db('ActivityLinks')
    .where('ActivityId', activityId)
    .orWhere('LinkedActivityId', activityId)
    .orderBy('Id')
    .select(COLUMNS);
}

export async function insertLink(db: Db, link: Omit<LinkRow, 'Id'>): Promise<number> {
  return insertedId(db('ActivityLinks').insert(link).returning('Id'));
}

export async function updateLink(db: Db, id: number, change: Pick<LinkRow, 'Name' | 'LinkInfo'>): Promise<void> {
  await db('ActivityLinks').where('Id', id).update(change);
}

export async function removeLink(db: Db, id: number): Promise<void> {
  await db('ActivityLinks').where('Id', id).delete();
}
