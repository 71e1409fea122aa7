/** Rows for tests of runs: an activity with a version, and runs of it. */
import type { Knex } from 'knex';
import { nameKey } from '#server/versions/version-catalog.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';

export const EMPTY_DEFINITION: ActivityDefinition = {
  inputs: [],
  outputs: [],
  steps: [],
  display: { RunActivityTitle: '', StartDisplayName: '', Classifications: [] },
};

let count = 0;

/** Inserts a user who can be stored as the starter of runs, and returns the UserId. */
export async function insertUser(
  knex: Knex,
  options: { UserName?: string; IsUserAdmin?: boolean } = {},
): Promise<number> {
  count += 1;
  const { UserName = `user${count}`, IsUserAdmin = false } = options;
  const [row] = await knex('Users')
    .insert({
      UserName,
      UserNameKey: UserName.toLowerCase(),
      Source: 'Local',
      FirstName: 'Test',
      LastName: UserName,
      IsUserAdmin,
    })
    .returning('UserId');
  return (row as { UserId: number }).UserId;
}

/** Inserts an activity with version 1 and returns its Id. */
export async function insertActivity(
  knex: Knex,
  options: {
    UserId: number;
    Name?: string;
    Schema?: string;
    SingleRun?: boolean;
    IsActive?: boolean;
    MemoryCost?: number;
    definition?: ActivityDefinition;
    FileId?: string;
  },
): Promise<number> {
  count += 1;
  const { UserId, Name = `Activity ${count}`, Schema = 'Test', definition = EMPTY_DEFINITION } = options;
  const schema = await knex('Schemas').where({ Name: Schema }).first();
  if (!schema) await knex('Schemas').insert({ Name: Schema, DisplayName: Schema, Order: 0 });
  const [row] = await knex('Activities')
    .insert({
      Name,
      NameKey: nameKey(Name),
      Type: 'Workbook',
      SingleRun: options.SingleRun ?? false,
      IsActive: options.IsActive ?? true,
      Schema,
      MemoryCost: options.MemoryCost ?? 0,
      DisplayInfo: JSON.stringify(definition.display),
      Version: 1,
    })
    .returning('Id');
  const { Id } = row as { Id: number };
  for (const [Direction, list] of [
    ['input', definition.inputs],
    ['output', definition.outputs],
  ] as const) {
    for (const { Name } of list) {
      await knex('ActivityParameters').insert({ ActivityId: Id, Direction, Name, NameKey: nameKey(Name) });
    }
  }
  await knex('ActivityVersions').insert({
    ActivityId: Id,
    Version: 1,
    FileId: options.FileId ?? null,
    ContentLength: 0,
    UserId,
    Definition: JSON.stringify(definition),
  });
  return Id;
}

/** Inserts a file that a version can refer to, and returns the FileId. */
export async function insertVersionFile(knex: Knex, FileId: string): Promise<string> {
  const content = { StoreKey: FileId, ContentLength: 0, Sha256: 'a'.repeat(64) };
  await knex('StoredFiles').insert({ FileId, ...content, FileName: 'Book.xlsx', Purpose: 'version' });
  return FileId;
}

/** Inserts a version 2 identical to version 1. */
export async function insertSecondVersion(knex: Knex, ActivityId: number): Promise<void> {
  const first = (await knex('ActivityVersions').where({ ActivityId }).first()) as object;
  await knex('ActivityVersions').insert({ ...first, Version: 2, Modified: new Date() });
  await knex('Activities').where({ Id: ActivityId }).update({ Version: 2 });
}

/** Inserts another version with its own definition, which becomes the newest. */
export async function insertVersion(
  knex: Knex,
  ActivityId: number,
  Version: number,
  definition: ActivityDefinition,
): Promise<void> {
  const first = (await knex('ActivityVersions').where({ ActivityId }).first()) as object;
  const Definition = JSON.stringify(definition);
  await knex('ActivityVersions').insert({ ...first, Version, Definition, Modified: new Date() });
  for (const [Direction, list] of [
    ['input', definition.inputs],
    ['output', definition.outputs],
  ] as const) {
    for (const { Name } of list) {
      const key = { ActivityId, Direction, NameKey: nameKey(Name) };
      if (!(await knex('ActivityParameters').where(key).first('Id'))) {
        await knex('ActivityParameters').insert({ ...key, Name });
      }
    }
  }
  await knex('Activities').where({ Id: ActivityId }).update({ Version });
}

export async function insertRun(
  knex: Knex,
  run: { ActivityId: number; UserId: number; Status?: string; MemoryCost?: number; SingleRun?: boolean } & Record<
    string,
    unknown
  >,
): Promise<number> {
  const [row] = await knex('ActivityRuns')
    .insert({ ActivityVersion: 1, Status: 'Queued', MemoryCost: 0, SingleRun: false, ...run })
    .returning('Id');
  return (row as { Id: number }).Id;
}
