/** Runs that are cancelled, and workers that stop. */
import { describe, expect, test } from 'vitest';
import { createRunQueue } from '#server/jobs/queue/run-queue.ts';
import { SUCCESS, untilAborted } from '#test/support/fake-executor.ts';
import { workerBench } from '#test/support/worker-bench.ts';

const bench = workerBench();
const { work, run, stored, status, messages } = bench;

describe('a cancelled run', () => {
  test.each([
    ['told by a signal', 60_000, true],
    ['found by polling', 30, false],
  ])('is really stopped when %s', async (_, pollInterval, tell) => {
    let stopped = false;
    bench.executor.onRun = (request) => untilAborted(request).finally(() => (stopped = true));
    const Id = await run();
    work({ pollInterval });
    await status(Id, 'Started');
    await bench.database.knex('ActivityRuns').where({ Id }).update({ CancelTime: new Date() });
    if (tell) bench.signals.cancelled(Id);
    await status(Id, 'Cancelled');
    expect(stopped).toBe(true);
    expect(await messages(Id)).toEqual(['The run was cancelled']);
  });
});

describe('a stop', () => {
  test('ends what has Started as Abandoned after the grace, and says why', async () => {
    bench.executor.onRun = untilAborted;
    const Id = await run();
    const worker = work({ stopGrace: 20 });
    await status(Id, 'Started');
    const waiting = await run();
    await worker.stop();
    expect(await stored(Id)).toMatchObject({ Status: 'Abandoned' });
    expect(await messages(Id)).toEqual(['The server was stopped before the run had ended']);
    expect((await stored(waiting)).Status).toMatch(/Queued|Abandoned/);
  });

  test('hands back what it is given after its end', async () => {
    const answer = Promise.withResolvers<void>();
    const queue = createRunQueue(bench.database, 30);
    const slow = async (...asked: Parameters<typeof queue.claim>) => {
      const runs = await queue.claim(...asked);
      await answer.promise;
      return runs;
    };
    let begun = 0;
    bench.executor.onRun = async () => {
      begun += 1;
      return SUCCESS;
    };
    const Id = await run();
    const worker = work({ queue: { ...queue, claim: slow } });
    await status(Id, 'PickedUp');
    await worker.stop();
    answer.resolve();
    await status(Id, 'Queued');
    expect(begun).toBe(0);
  });

  test('waits for a run that ends within the grace', async () => {
    const ending = Promise.withResolvers<void>();
    bench.executor.onRun = async () => {
      await ending.promise;
      return SUCCESS;
    };
    const Id = await run();
    const worker = work({ stopGrace: 10_000 });
    await status(Id, 'Started');
    const stopped = worker.stop();
    ending.resolve();
    await stopped;
    expect(await stored(Id)).toMatchObject({ Status: 'Succeeded' });
  });
});
