import type { Db } from '#server/db/dialect/types.ts';
import { prepared } from '#server/db/prepared.ts';

/** The preset values of an activity's inputs, by the input's id. */
export async function listPresets(db: Db, activityId: number): Promise<Map<number, string>> {
  const presets = db('ActivityParameters')
    .where({ ActivityId: activityId, Direction: 'input' })
    .whereNotNull('PresetValue')
    .select('Id', 'PresetValue');
  const rows = (await prepared(presets)) as { Id: number; PresetValue: string }[];
  return new Map(rows.map(({ Id, PresetValue }) => [Id, PresetValue]));
}

/** The same of several activities, by the activity's id. */
export async function listPresetsOf(db: Db, activityIds: readonly number[]): Promise<Map<number, Map<number, string>>> {
  const rows = (await db('ActivityParameters')
    .whereIn('ActivityId', activityIds)
    .where('Direction', 'input')
    .whereNotNull('PresetValue')
    .select('ActivityId', 'Id', 'PresetValue')) as { ActivityId: number; Id: number; PresetValue: string }[];
  const byActivity = Map.groupBy(rows, ({ ActivityId }) => ActivityId);
  return new Map(
    [...byActivity].map(([id, found]) => [id, new Map(found.map(({ Id, PresetValue }) => [Id, PresetValue]))]),
  );
}

export async function updatePreset(db: Db, inputId: number, PresetValue: string | null): Promise<void> {
  await db('ActivityParameters').where({ Id: inputId, Direction: 'input' }).update({ PresetValue });
}
