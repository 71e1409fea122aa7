/** Reads what a finished run supplies to the inputs of a link's target activity. */
import { AppError } from '#server/base/app-error.ts';
import type { Database } from '#server/db/database.ts';
import type { RunOutputsRow } from '#server/db/tables.ts';
import type { RunAccess } from '#server/access/run-access.ts';
import type { Person } from '#server/base/person.ts';
import type { OutputValue } from '#shared/codecs/linked-values.ts';
import { isPending } from '#shared/contract/run-status.ts';

type OutputRow = Pick<RunOutputsRow, 'ActivityParameterId' | 'Value' | 'FileId' | 'FileName'>;

/**
 * Returns the outputs of a run by id. Throws an AppError: 404 if the person may not see the run or it belongs to
 * another activity, 409 if it has not ended.
 */
export async function outputsOfRun(
  { knex }: Database,
  access: RunAccess,
  person: Person,
  of: { runId: number; activityId: number },
): Promise<Map<number, OutputValue>> {
  const { run } = await access.require(knex, person, of.runId);
  if (run.ActivityId !== of.activityId) throw new AppError('runNotFound', 404, 'There is no such run');
  if (isPending(run.Status)) throw new AppError('runPending', 409, 'The run has not ended yet');
  const rows = await knex('RunOutputs')
    .where('ActivityRunId', of.runId)
    .whereNotNull('ActivityParameterId')
    .orderBy(['ActivityParameterId', 'ArrayIndex'])
    .select('ActivityParameterId', 'Value', 'FileId', 'FileName');
  const byOutput = Map.groupBy(rows, ({ ActivityParameterId }) => ActivityParameterId!);
  return new Map([...byOutput].map(([id, found]) => [id, valueOf(found)]));
}

function valueOf(rows: readonly OutputRow[]): OutputValue {
  const files = rows.flatMap(({ FileId, FileName }) => (FileId === null ? [] : [{ FileId, FileName: FileName ?? '' }]));
  return { json: rows.find(({ FileId }) => FileId === null)?.Value ?? null, files };
}
