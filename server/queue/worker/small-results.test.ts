/** Calculated workbooks that are stored as deltas of their version's workbook. */
import { expect } from 'vitest';
import { SUCCESS } from '#test/support/fake-executor.ts';
import { test as base } from '#test/support/fixtures/worker-bench.ts';

const BYTES = Buffer.from('workbook, calculated');
const BASE = 'workbook';

const test = base.extend('results', ({ workerBench }) => {
  const resultOf = async (runId: number) =>
    workerBench.database
      .knex('RunOutputs as V')
      .join('StoredFiles as F', 'F.FileId', 'V.FileId')
      .where('V.ActivityRunId', runId)
      .whereNull('V.ActivityParameterId')
      .first('F.StoreKey', 'F.BaseFileId', 'F.Delta', 'F.ContentLength');

  function calculates(bytes: Uint8Array, meanwhile?: () => Promise<void>): void {
    workerBench.executor.onRun = async () => {
      await meanwhile?.();
      const report = { Name: 'Report', FileName: 'b.csv', bytes: Buffer.from('a,b') };
      return { ...SUCCESS, files: [{ Name: null, FileName: 'a calculated.xlsx', bytes }, report] };
    };
  }

  async function resultOfRun() {
    workerBench.work({ hasDeltas: true });
    const runId = await workerBench.run();
    await workerBench.status(runId, 'Succeeded');
    return resultOf(runId);
  }

  return { calculates, resultOfRun };
});

test('a small one is not written to the store, and read as it was calculated; files of steps are', async ({
  workerBench,
  results: { calculates, resultOfRun },
}) => {
  const before = await workerBench.storeSize();
  calculates(BYTES);
  const result = await resultOfRun();
  expect(result).toMatchObject({ BaseFileId: BASE, ContentLength: BYTES.byteLength });
  expect(await workerBench.files.read(result.StoreKey)).toEqual(BYTES);
  expect(await workerBench.storeSize()).toBe(before + 1);
});

test('a large one is written to the store', async ({ workerBench, results: { calculates, resultOfRun } }) => {
  const large = Buffer.alloc(200_000, 'large');
  calculates(large);
  const result = await resultOfRun();
  expect(result).toMatchObject({ BaseFileId: null, Delta: null });
  expect(await workerBench.files.read(result.StoreKey)).toEqual(large);
});

test('one whose version was purged while it was calculated is written to the store, and what was stored before is not left', async ({
  workerBench,
  results: { calculates, resultOfRun },
}) => {
  const { knex } = workerBench.database;
  const base = await knex('StoredFiles').where({ FileId: BASE }).first();
  const before = await workerBench.storeSize();
  calculates(BYTES, async () => {
    await knex('ActivityVersions').update({ FileId: null });
    await knex('StoredFiles').where({ FileId: BASE }).delete();
  });
  await knex('RunOutputs').delete();
  await knex('StoredFiles').where('Purpose', 'output').delete();
  const result = await resultOfRun();
  expect(result).toMatchObject({ BaseFileId: null, Delta: null });
  expect(await workerBench.files.read(result.StoreKey)).toEqual(BYTES);
  // Stored whole: the result and the step's file.
  expect(await workerBench.storeSize()).toBe(before + 2);
  await knex('StoredFiles').insert(base);
  await knex('ActivityVersions').update({ FileId: BASE });
});
