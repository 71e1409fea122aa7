/** The sample workflow, created once from the sample activities as if the administrator had imported its file. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#server/base/app-error.ts';
import type { Log } from '#server/base/log.ts';
import type { Person } from '#server/base/person.ts';
import type { Database } from '#server/db/database.ts';
import type { WorkflowImport } from '#server/features/workflows/workflow-import-service.ts';
import { SAMPLES_FOLDER } from './publish-samples.ts';

/** Key in Settings that records that it was created. If somebody changes or deletes it, it is not created again. */
const DONE = 'SampleWorkflowPublished';
const SCHEMA = 'Samples';

export interface SampleWorkflowDeps {
  database: Pick<Database, 'knex'>;
  workflowImport: WorkflowImport;
  log: Log;
}

/**
 * Returns the workflow's id. Null if it was already created, or if it cannot be created because its activities are
 * missing or have changed.
 */
export async function publishWorkflow(
  { database: { knex }, workflowImport, log }: SampleWorkflowDeps,
  person: Person,
): Promise<number | null> {
  if (await knex('Settings').where('Name', DONE).first()) return null;
  const Content = await readFile(join(SAMPLES_FOLDER, 'month-end-close.json'), 'utf8');
  let createdId: number | null = null;
  try {
    // The fixed UniqueId ensures that several servers that start at the same time create only one workflow.
    const body = { Schema: SCHEMA, Content, UniqueId: 'runsheet.month-end-close' };
    createdId = (await workflowImport.import(person, body)).Id;
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    log.info({ reason: err.message }, 'could not create the sample workflow');
  }
  await knex('Settings').insert({ Name: DONE, Value: JSON.stringify(createdId) });
  return createdId;
}
