import { createBatcher } from '#server/background/batcher.ts';
import type { Db } from '#server/db/dialect/types.ts';
import { prepared } from '#server/db/prepared.ts';

type Presets = Map<number, string>;

const MAX_BATCH_SIZE = 16;

/** Creates a reader of an activity's preset values, by input id. Concurrent calls share one statement. */
export function createPresetsReader(db: Db): (activityId: number) => Promise<Presets> {
  const many = async (activityIds: readonly number[]): Promise<Presets[]> => {
    const found = byActivity(await prepared(presetsOf(db, [...new Set(activityIds)])));
    return activityIds.map((id) => new Map(found.get(id)));
  };
  const alone = async (activityId: number): Promise<Presets> => (await many([activityId]))[0]!;
  return createBatcher({ many, alone, isUncertain: () => false, maxBatchSize: MAX_BATCH_SIZE });
}

/** Returns the preset values of several activities, by activity id. */
export async function listPresetsOf(db: Db, activityIds: readonly number[]): Promise<Map<number, Presets>> {
  return byActivity(await presetsOf(db, activityIds));
}

interface PresetRow {
  ActivityId: number;
  Id: number;
  PresetValue: string;
}

function presetsOf(db: Db, activityIds: readonly number[]) {
  return db('ActivityParameters')
    .whereIn('ActivityId', activityIds)
    .where('Direction', 'input')
    .whereNotNull('PresetValue')
    .select<PresetRow[]>('ActivityId', 'Id', 'PresetValue');
}

function byActivity(rows: readonly PresetRow[]): Map<number, Presets> {
  const grouped = Map.groupBy(rows, ({ ActivityId }) => ActivityId);
  return new Map(
    [...grouped].map(([id, found]) => [id, new Map(found.map(({ Id, PresetValue }) => [Id, PresetValue]))]),
  );
}

export async function updatePreset(db: Db, inputId: number, PresetValue: string | null): Promise<void> {
  await db('ActivityParameters').where({ Id: inputId, Direction: 'input' }).update({ PresetValue });
}
