/** The sample workflow, made once of the sample activities, as if the administrator had imported its file. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#server/base/app-error.ts';
import type { Log } from '#server/base/log.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { WorkflowImport } from '#server/features/workflows/workflow-import.ts';
import { SAMPLES_FOLDER } from './publish-samples.ts';

/** In Settings: whether it was made. Whoever changes or deletes it later will not get it back. */
const DONE = 'SampleWorkflowPublished';
const SCHEMA = 'Samples';

export interface SampleWorkflowDeps {
  database: Pick<Database, 'knex'>;
  workflowImport: WorkflowImport;
  log: Log;
}

/** Answers its Id; null where it was made before, or cannot be made as its activities are not there or not what they were. */
export async function publishWorkflow(
  { database: { knex }, workflowImport, log }: SampleWorkflowDeps,
  person: Person,
): Promise<number | null> {
  if (await knex('Settings').where('Name', DONE).first()) return null;
  const Content = await readFile(join(SAMPLES_FOLDER, 'month-end-close.json'), 'utf8');
  let made: number | null = null;
  try {
    // Of several servers that start at once, all import the same.
    const body = { Schema: SCHEMA, Content, UniqueId: 'runsheet.month-end-close' };
    made = (await workflowImport.import(person, body)).Id;
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    log.info({ reason: err.message }, 'the sample workflow was not made');
  }
  await knex('Settings').insert({ Name: DONE, Value: JSON.stringify(made) });
  return made;
}
