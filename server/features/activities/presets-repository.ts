import type { Db } from '#server/db/dialect/types.ts';

/** The preset values of an activity's inputs, by the input's id. */
export async function listPresets(db: Db, activityId: number): Promise<Map<number, string>> {
  const rows = (await db('ActivityParameters')
    .where({ ActivityId: activityId, Direction: 'input' })
    .whereNotNull('PresetValue')
    .select('Id', 'PresetValue')) as { Id: number; PresetValue: string }[];
  return new Map(rows.map(({ Id, PresetValue }) => [Id, PresetValue]));
}

export async function updatePreset(db: Db, inputId: number, PresetValue: string | null): Promise<void> {
  await db('ActivityParameters').where({ Id: inputId, Direction: 'input' }).update({ PresetValue });
}
