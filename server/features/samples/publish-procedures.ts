/**
 * Activities for the procedures of the sample database. The first start with that database creates them once, on behalf
 * of the administrator.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { AppError } from '#server/base/app-error.ts';
import type { Holder } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { ProcedurePublishing } from '#server/features/procedures/procedure-publishing-service.ts';
import type { ProceduresService } from '#server/features/procedures/procedures-service.ts';
import { closed } from '#shared/contract/endpoint.ts';
import { ParameterSettings, type ProcedureSettings } from '#shared/contract/procedure-settings.ts';
import { SAMPLES_FOLDER } from './publish-samples.ts';

const { Name, ...extras } = ParameterSettings.properties;
const SampleActivity = closed({
  name: Type.String(),
  group: Type.String(),
  function: Type.String(),
  description: Type.String(),
  /** Name of the procedure as the database writes it, without the connection. */
  procedure: Type.String(),
  /** Parameters in order, with settings that differ from the defaults. */
  parameters: Type.Array(closed({ Name, ...Type.Partial(Type.Object(extras)).properties })),
});
type SampleActivity = Static<typeof SampleActivity>;

const SCHEMA = 'Samples';
/**
 * Key in Settings that records that they were created. If somebody changes or deletes them, they are not created again.
 */
const DONE = 'SampleProceduresPublished';

export interface SampleProceduresDeps {
  database: Pick<Database, 'knex'>;
  procedures: Pick<ProceduresService, 'describe'>;
  procedurePublishing: Pick<ProcedurePublishing, 'create'>;
}

/** Returns the names of the created activities; empty if they had already been created. */
export async function publishProcedures(
  { database: { knex }, procedures, procedurePublishing }: SampleProceduresDeps,
  person: Holder,
  signal: AbortSignal,
): Promise<string[]> {
  if (await knex('Settings').where('Name', DONE).first()) return [];
  const file = await readFile(join(SAMPLES_FOLDER, 'database', 'activities.json'), 'utf8');
  const created: string[] = [];
  for (const sample of Value.Parse(Type.Array(SampleActivity), JSON.parse(file))) {
    const { Settings } = await procedures.describe(person, sample.procedure, signal);
    try {
      await procedurePublishing.create(person, activityOf(sample, Settings), signal);
      created.push(sample.name);
    } catch (error) {
      // An interrupted start has already created some of them.
      if (!(error instanceof AppError && error.code === 'activityNameTaken')) throw error;
    }
  }
  await knex('Settings').insert({ Name: DONE, Value: JSON.stringify(created) });
  return created;
}

function activityOf(
  { name, group, function: Function, description, procedure, parameters }: SampleActivity,
  settings: ProcedureSettings,
): Parameters<ProcedurePublishing['create']>[1] {
  const Parameters = parameters.flatMap((extra) => {
    const existing = settings.Parameters.find((one) => one.Name === extra.Name);
    return existing ? [{ ...existing, ...extra }] : [];
  });
  return {
    Name: name,
    Schema: SCHEMA,
    Group: group,
    Function,
    Description: description,
    SingleRun: false,
    IsActive: true,
    Order: null,
    MemoryCost: 0,
    ProcedureName: procedure,
    Procedure: { ...settings, Parameters },
  };
}
