import type { Knex } from 'knex';
import { createBatcher } from '#server/background/batcher.ts';
import { prepared } from '#server/db/prepared.ts';
import type { InputValue } from '#server/executors/executor.ts';
import type { ActivityVersion } from '#server/versions/version-catalog.ts';
import type { FileStore } from '#server/files/file-store.ts';

export interface StoredInput {
  ActivityParameterId: number;
  ArrayIndex: number;
  Value: string | null;
  /** Null if the value is not a file. */
  FileName: string | null;
  StoreKey: string | null;
}

/** Maximum number of runs whose inputs one statement reads: the number of runs that one claim can take. */
const MAX_BATCH_SIZE = 16;

const readers = new WeakMap<Knex, (runId: number) => Promise<StoredInput[]>>();

/** Reads the inputs of a run as they were stored with its start. */
export function readRunInputs(knex: Knex, runId: number): Promise<StoredInput[]> {
  const read = readers.get(knex) ?? createReader(knex);
  readers.set(knex, read);
  return read(runId);
}

function createReader(knex: Knex): (runId: number) => Promise<StoredInput[]> {
  const many = async (runIds: readonly number[]): Promise<StoredInput[][]> => {
    const inputs = knex('RunInputs as I')
      .leftJoin('StoredFiles as F', 'F.FileId', 'I.FileId')
      .whereIn('I.ActivityRunId', runIds)
      .orderBy(['I.ActivityParameterId', 'I.ArrayIndex'])
      .select<(StoredInput & { ActivityRunId: number })[]>(
        'I.ActivityRunId',
        'I.ActivityParameterId',
        'I.ArrayIndex',
        'I.Value',
        'I.FileName',
        'F.StoreKey',
      );
    const rows = await prepared(inputs);
    const byRun = Map.groupBy(rows, ({ ActivityRunId }) => ActivityRunId);
    return runIds.map((id) => byRun.get(id) ?? []);
  };
  const alone = async (runId: number): Promise<StoredInput[]> => (await many([runId]))[0]!;
  return createBatcher({ many, alone, isUncertain: () => false, maxBatchSize: MAX_BATCH_SIZE });
}

/**
 * Returns the inputs for the executor: every input of the version, without a value if the workbook's own value applies.
 * Inputs that take the number of the run get it here, where it is known.
 */
export function inputValues(
  version: ActivityVersion,
  stored: readonly StoredInput[],
  files: Pick<FileStore, 'read'>,
  runId: number,
): InputValue[] {
  return version.inputs.map(({ Id, Name, Info }) => {
    if (Info.CellUsages[0] === 'ActivityRunId') return { Name, value: String(runId), files: [] };
    const entries = stored.filter((entry) => entry.ActivityParameterId === Id);
    return {
      Name,
      value: entries[0]?.Value ?? null,
      files: entries.flatMap(({ FileName, StoreKey }) =>
        FileName === null || StoreKey === null ? [] : [{ FileName, read: () => files.read(StoreKey) }],
      ),
    };
  });
}
