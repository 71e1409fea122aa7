/** Checks the invariants of runs after servers and databases were killed. */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { expect } from 'vitest';
import { withDeltas } from '#server/files/deltas.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { createFolderFileStore } from '#server/files/folder-store.ts';
import { isPending, type RunStatus } from '#shared/contract/run-status.ts';
import { untilProgress } from '#test/support/until.ts';

interface Row {
  Id: number;
  Status: RunStatus;
  StartTime: Date | null;
  EndTime: Date | null;
  Fence: number;
}

export type EndedRuns = ReadonlyMap<number, string>;

const print = ({ Status, EndTime, Fence }: Row): string => `${Status} ${EndTime?.toISOString()} ${Fence}`;

/** Returns the runs that have ended so far, with their outcome. */
export async function endedRuns(knex: Knex): Promise<EndedRuns> {
  const rows = (await knex('ActivityRuns').whereNotNull('EndTime').select('Id', 'Status', 'EndTime', 'Fence')) as Row[];
  return new Map(rows.map((row) => [row.Id, print(row)]));
}

export async function untilNothingPending(knex: Knex): Promise<void> {
  const counts = (): Promise<{ Status: RunStatus }[]> =>
    knex('ActivityRuns').groupBy('Status').orderBy('Status').select('Status').count({ Count: '*' }) as never;
  await untilProgress('no run is pending', counts, (rows) => !rows.some(({ Status }) => isPending(Status)));
}

export interface Expected {
  /** By UniqueId: the acknowledged run, and twice the value it was started with. */
  acknowledged: ReadonlyMap<string, { Id: number; double: number }>;
  /** Runs that had ended at some time during the test. */
  endedBefore: EndedRuns;
  /** The store of the files, or its folder. */
  files: string | FileStore;
}

/**
 * Expects that each acknowledged run has finished exactly once or, if it had started, is Abandoned. Nothing is lost or
 * duplicated.
 */
export async function checkRuns(
  knex: Knex,
  { acknowledged, endedBefore, files: given }: Expected,
): Promise<Record<string, number>> {
  const store = withDeltas(typeof given === 'string' ? await createFolderFileStore(given) : given, { knex });
  const runs = (await knex('ActivityRuns').select(
    'Id',
    'UniqueId',
    'Status',
    'StartTime',
    'EndTime',
    'Fence',
  )) as (Row & {
    UniqueId: string;
  })[];
  const byUniqueId = new Map(runs.map((run) => [run.UniqueId, run]));
  // No start created two runs.
  expect(byUniqueId.size).toBe(runs.length);
  const outputs = Map.groupBy(
    await knex('RunOutputs as O')
      .leftJoin('StoredFiles as F', 'F.FileId', 'O.FileId')
      .select('O.*', 'F.StoreKey', 'F.Sha256'),
    (row) => row.ActivityRunId as number,
  );
  const logs = Map.groupBy(await knex('RunLogEntries'), (row) => row.ActivityRunId as number);
  const counts: Record<string, number> = {};
  for (const [uniqueId, { Id, double }] of acknowledged) {
    const run = byUniqueId.get(uniqueId);
    expect(run, `the run of ${uniqueId} is lost`).toBeDefined();
    const { Status } = run!;
    counts[Status] = (counts[Status] ?? 0) + 1;
    expect(run!.Id, `${uniqueId} was answered with another run`).toBe(Id);
    expect(
      ['Succeeded', 'Abandoned', 'Cancelled'],
      `run ${Id} ended wrongly: ${JSON.stringify(logs.get(Id))}`,
    ).toContain(Status);
    const made = outputs.get(Id) ?? [];
    const lines = (logs.get(Id) ?? []).map((row) => row.Message as string);
    if (Status === 'Succeeded') {
      expect(
        made.filter((row) => row.FileId === null).map((row) => row.Value),
        `outputs of run ${Id}`,
      ).toEqual([String(double)]);
      const files = made.filter((row) => row.FileId !== null);
      expect(files, `files of run ${Id}`).toHaveLength(1);
      const { StoreKey, Sha256 } = files[0] as { StoreKey: string; Sha256: string };
      const sum = createHash('sha256').update(await store.read(StoreKey));
      expect(sum.digest('hex'), `the file of run ${Id}`).toBe(Sha256);
      expect(
        lines.filter((line) => line === 'calculated'),
        `log of run ${Id}`,
      ).toHaveLength(1);
    } else {
      if (Status === 'Abandoned') expect(run!.StartTime, `run ${Id} was only picked up`).not.toBeNull();
      expect(made, `run ${Id} is ${Status} and has outputs`).toEqual([]);
      expect(
        lines.filter((line) => /no longer responds|was stopped|was cancelled/.test(line)),
        `log of run ${Id}`,
      ).toHaveLength(1);
    }
  }
  // Runs that had ended have not changed since.
  const byId = new Map(runs.map((run) => [run.Id, run]));
  for (const [Id, ended] of endedBefore) expect(print(byId.get(Id)!), `run ${Id} changed after its end`).toBe(ended);
  return counts;
}
