import type { Knex } from 'knex';
import type { ChecklistRunsRow } from '#server/db/tables.ts';

type ContinuedRun = Pick<ChecklistRunsRow, 'Id' | 'UserId' | 'ResumeOf'>;

/** Returns a workflow run and all earlier runs that it continues, newest first. Purged runs are omitted. */
export async function listContinued(db: Knex, workflowRunId: number): Promise<ContinuedRun[]> {
  const runs: ContinuedRun[] = [];
  for (let id: number | null = workflowRunId; id !== null;) {
    const row: ContinuedRun | undefined = await db('ChecklistRuns').where('Id', id).first('Id', 'UserId', 'ResumeOf');
    if (row) runs.push(row);
    id = row?.ResumeOf ?? null;
  }
  return runs;
}
