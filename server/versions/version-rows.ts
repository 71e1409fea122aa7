import type { Knex } from 'knex';
import type { Db, Dialect } from '#server/db/dialect/types.ts';
import { inRows } from '#server/db/in-rows.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import { nameKey } from './version-catalog.ts';

export interface NewVersion {
  ActivityId: number;
  Version: number;
  /** Null for a stored procedure. */
  FileId: string | null;
  ContentLength: number;
  ChangeDescription: string;
  UserId: number;
  Definition: string;
  Fidelity: string | null;
  FidelitySummary: string | null;
}

/** Returns the region of the newest version of an activity; undefined if it is unknown. */
export async function findNewestRegion(db: Db, activityId: number): Promise<ActivityDefinition['region']> {
  const row = await db('ActivityVersions')
    .where({ ActivityId: activityId })
    .orderBy('Version', 'desc')
    .first('Definition');
  return row && regionOfVersion(JSON.parse(row.Definition) as ActivityDefinition);
}

/** Older versions store the region only in their inputs, and only if their file determined it. */
export function regionOfVersion({ region, inputs }: ActivityDefinition): ActivityDefinition['region'] {
  const id = inputs.find(({ Info }) => Info.Region)?.Info.Region?.Id;
  return region ?? (id === undefined ? undefined : { id, source: 'Formats', told: id });
}

export async function insertVersion(db: Db, version: NewVersion & { Modified: Knex.Raw }): Promise<void> {
  await db('ActivityVersions').insert(version);
}

/** Registers the inputs and outputs of a definition. A parameter with the name of an earlier one keeps its id. */
export async function upsertParameters(
  db: Db,
  dialect: Dialect,
  activityId: number,
  { inputs, outputs }: Pick<ActivityDefinition, 'inputs' | 'outputs'>,
): Promise<void> {
  const row = (Direction: 'input' | 'output') => (parameter: { Name: string }) => ({
    ActivityId: activityId,
    Direction,
    Name: parameter.Name,
    NameKey: nameKey(parameter.Name),
  });
  const rows = [...inputs.map(row('input')), ...outputs.map(row('output'))];
  await inRows(db, rows, (part) =>
    dialect.upsert(db, {
      table: 'ActivityParameters',
      rows: part,
      key: ['ActivityId', 'Direction', 'NameKey'],
      update: ['Name'],
    }),
  );
}
