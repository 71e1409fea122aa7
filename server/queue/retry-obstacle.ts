import type { Knex } from 'knex';

/**
 * Returns which deleted data a retry of the run would need; null if everything is there. The caller should hold the
 * lock on the run's row.
 */
export async function retryObstacle(trx: Knex.Transaction, runId: number): Promise<string | null> {
  const run = await trx('ActivityRuns as R')
    .join('Activities as A', 'A.Id', 'R.ActivityId')
    .join('ActivityVersions as V', (on) => {
      on.on('V.ActivityId', 'R.ActivityId').andOn('V.Version', 'R.ActivityVersion');
    })
    .where('R.Id', runId)
    .first<
      | { InputsPurgedTime: Date | null; ActivityVersion: number; Version: number; Type: string; FileId: string | null }
      | undefined
    >('R.InputsPurgedTime', 'R.ActivityVersion', 'A.Version', 'A.Type', 'V.FileId');
  if (!run) return null;
  if (run.InputsPurgedTime) return 'The inputs of this run no longer exist, so it cannot be retried';
  // The newest version is never purged.
  if (run.Type === 'Workbook' && run.FileId === null && run.ActivityVersion < run.Version) {
    return `The file of version ${run.ActivityVersion} was purged, so this run cannot be retried`;
  }
  const lostFile = await trx('RunInputs')
    .where('ActivityRunId', runId)
    .whereNotNull('FileName')
    .whereNull('FileId')
    .first('Id');
  return lostFile ? 'The input files of this run were purged, so it cannot be retried' : null;
}
