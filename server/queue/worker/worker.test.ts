/** How a worker handles waiting runs. */
import { describe, expect } from 'vitest';
import { SUCCESS } from '#test/support/fake-executor.ts';
import { until } from '#test/support/until.ts';
import { test } from '#test/support/fixtures/worker-bench.ts';

describe('a worker', () => {
  test('carries a run out and stores its outputs, files and log', async ({ workerBench }) => {
    workerBench.executor.onRun = async (request) => {
      request.onLog({ Message: `read ${(await request.readWorkbook()).byteLength} bytes`, StatusCode: 1, Category: 1 });
      return {
        status: 'SucceededWarn',
        outputs: [
          { Name: 'Total', Value: '42', Rows: null },
          { Name: 'Report', Value: null, Rows: null },
        ],
        files: [
          { Name: null, FileName: 'a.xlsx', bytes: Buffer.from('calculated') },
          { Name: 'Report', FileName: 'r1.csv', bytes: Buffer.from('1') },
          { Name: 'Report', FileName: 'r2.csv', bytes: Buffer.from('22') },
        ],
      };
    };
    const Id = await workerBench.run();
    workerBench.work();
    const row = await workerBench.status(Id, 'SucceededWarn');
    expect(row.StartTime).toBeInstanceOf(Date);
    expect(row.EndTime >= row.StartTime).toBe(true);
    expect(await workerBench.messages(Id)).toEqual(['read 8 bytes']);
    const outputs = await workerBench.database
      .knex('RunOutputs')
      .where({ ActivityRunId: Id })
      .orderBy('Id')
      .select('Value', 'ArrayIndex', 'FileName', 'ContentLength');
    expect(outputs).toEqual([
      { Value: '42', ArrayIndex: 0, FileName: null, ContentLength: null },
      { Value: null, ArrayIndex: 0, FileName: 'a.xlsx', ContentLength: 10 },
      { Value: null, ArrayIndex: 0, FileName: 'r1.csv', ContentLength: 1 },
      { Value: null, ArrayIndex: 1, FileName: 'r2.csv', ContentLength: 2 },
    ]);
  });

  test('is notified of a run by another process through the database', async ({ workerBench, skip }) => {
    skip(workerBench.database.dialect.name === 'mssql', 'SQL Server tells nobody: there workers look by themselves');
    const others = workerBench.otherSignals();
    await others.open();
    workerBench.work({ pollInterval: 60_000, signals: others });
    await until('the end of the first poll', () => {
      const place = others.reserve({ ActivityId: 0, Pool: 'default', RunsAtOnce: 0, MemoryCost: 0 });
      place?.release();
      return place;
    });
    const Id = await workerBench.run();
    workerBench.signals.queued();
    await workerBench.status(Id, 'Succeeded');
    await others.close();
  });

  test('never holds more memory cost than its budget, and takes the next when one ends', async ({ workerBench }) => {
    let now = 0;
    let maxConcurrent = 0;
    workerBench.executor.onRun = async () => {
      now += 1;
      maxConcurrent = Math.max(maxConcurrent, now);
      // However slowly the queue is read, the first run continues until a second one runs beside it. The pause then
      // leaves time for a third.
      await until('two are carried out at once', () => maxConcurrent >= 2);
      await new Promise((resolve) => setTimeout(resolve, 30));
      now -= 1;
      return SUCCESS;
    };
    const ids = await Promise.all(Array.from({ length: 6 }, () => workerBench.run({ MemoryCost: 40 })));
    workerBench.work({ concurrency: 10, pollInterval: 60_000 });
    for (const Id of ids) await workerBench.status(Id, 'Succeeded');
    expect(maxConcurrent).toBe(2);
  });

  test('ends a run InternalError with an id and no stack when the bench.executor fails', async ({ workerBench }) => {
    workerBench.executor.onRun = () => Promise.reject(new Error('secret detail'));
    const Id = await workerBench.run();
    workerBench.work();
    await workerBench.status(Id, 'InternalError');
    const [message = ''] = await workerBench.messages(Id);
    expect(message).toMatch(/^System error \(id [0-9a-f-]{36}\)$/);
  });

  test('shows log lines and progress while a run is in progress, each line once', async ({ workerBench }) => {
    let go: (() => void) | undefined;
    workerBench.executor.onRun = async (request) => {
      request.onLog({ Message: 'one', StatusCode: 1, Category: 1 });
      request.onProgress('Calculating', 0.5);
      await new Promise<void>((resolve) => (go = resolve));
      request.onLog({ Message: 'two', StatusCode: 1, Category: 1 });
      return SUCCESS;
    };
    const Id = await workerBench.run();
    workerBench.work();
    await until('the first line', async () => (await workerBench.messages(Id)).length === 1);
    expect(await workerBench.status(Id, 'Started')).toMatchObject({ Phase: 'Calculating', Share: 0.5 });
    go!();
    const ended = await workerBench.status(Id, 'Succeeded');
    expect(ended).toMatchObject({ Phase: '', Share: null });
    expect(await workerBench.messages(Id)).toEqual(['one', 'two']);
  });
});
