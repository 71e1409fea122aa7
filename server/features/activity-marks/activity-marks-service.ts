/**
 * Favourites and other per-user data that the list of activities shows. It has its own call because the list itself is
 * shared between users.
 */
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ActivityAccess } from '#server/access/activity-access.ts';
import type { ChecklistAccess } from '#server/access/checklist-access.ts';
import { isInScope } from '#server/access/rights/right-scope.ts';
import { NEVER } from '#server/automation/schedules/schedule-occurrences.ts';
import { RECENT_MAX, type ActivityMarks, type FavouriteChange, type Marks } from '#shared/contract/activity-marks.ts';
import {
  listChecklistNextTimes,
  listFavourites,
  listNextTimes,
  listOwn,
  listRecent,
  writeFavourite,
  type NextRow,
} from './activity-marks-repository.ts';

export interface ActivityMarksService {
  of(person: Person): Promise<ActivityMarks>;
  /** Throws an AppError 404 if the person does not see the activity or checklist. */
  setFavourite(person: Person, change: FavouriteChange): Promise<void>;
}

export interface ActivityMarksDeps {
  database: Database;
  access: ActivityAccess;
  checklistAccess: ChecklistAccess;
}

export function createActivityMarksService({
  database: { knex, dialect },
  access,
  checklistAccess,
}: ActivityMarksDeps): ActivityMarksService {
  const marksOf = async (
    kind: FavouriteChange['Kind'],
    { UserId }: Person,
    next: () => Promise<readonly NextRow[]>,
  ): Promise<Marks> => {
    const [Favourites, Recent, Own, rows] = await Promise.all([
      listFavourites(knex, kind, UserId),
      listRecent(knex, kind, UserId, RECENT_MAX),
      listOwn(knex, kind, UserId),
      next(),
    ]);
    return { Favourites, Recent, Own, NextTimes: rows.map(nextTime) };
  };
  return {
    of: async (person) => {
      const scopes = await checklistAccess.scopes(person);
      const [Activities, Checklists] = await Promise.all([
        marksOf('Activity', person, () => listNextTimes(knex, scopes, NEVER)),
        marksOf('Checklist', person, async () =>
          (await listChecklistNextTimes(knex, NEVER)).filter(({ Schema }) =>
            isInScope(scopes.editChecklist, { Schema }),
          ),
        ),
      ]);
      return { Activities, Checklists };
    },
    setFavourite: async (person, change) => {
      await (change.Kind === 'Activity' ? access : checklistAccess).require(knex, person, change.Id);
      await writeFavourite(knex, dialect, person.UserId, change);
    },
  };
}

const nextTime = ({ Id, NextTime }: NextRow): Marks['NextTimes'][number] => ({
  Id,
  NextTime: NextTime.toISOString(),
});
