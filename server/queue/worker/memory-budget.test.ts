/** The memory budget of a worker counts runs that have released their slot but still hold their memory. */
import { expect } from 'vitest';
import { NO_SERVICES } from '#server/executors/step-services.ts';
import type { RunSteps } from '#server/queue/steps/run-steps.ts';
import { SUCCESS, untilAborted } from '#test/support/fake-executor.ts';
import { test as withBench } from '#test/support/fixtures/worker-bench.ts';
import { until } from '#test/support/until.ts';

const test = withBench.extend('prompting', async ({ workerBench }) => {
  const answered = Promise.withResolvers<void>();
  const steps: RunSteps = {
    servicesFor: ({ onWaiting, signal }) => ({
      ...NO_SERVICES,
      prompt: async () => {
        onWaiting?.();
        await Promise.race([answered.promise, untilAborted({ signal })]);
        return null;
      },
    }),
  };
  let started = 0;
  // The first run waits for a person; the others end immediately.
  workerBench.executor.onRun = async ({ services }) => {
    started += 1;
    if (started === 1) await services!.prompt({ message: 'Which?', type: 'Text', seconds: 60 });
    return SUCCESS;
  };
  /** Makes the worker execute a run that waits for a person. */
  const run = async (MemoryCost: number): Promise<number> => {
    const Id = await workerBench.run({ MemoryCost });
    workerBench.work({ steps });
    await until('the run has begun', () => started === 1);
    return Id;
  };
  return { run, answer: answered.resolve };
});

test('a run that waits for a person keeps its memory', async ({ workerBench, prompting }) => {
  const waiting = await prompting.run(80);
  const large = await workerBench.run({ MemoryCost: 80 });
  const small = await workerBench.run();
  await workerBench.status(small, 'Succeeded');
  expect((await workerBench.stored(large)).Status).toBe('Queued');
  prompting.answer();
  await workerBench.status(waiting, 'Succeeded');
  await workerBench.status(large, 'Succeeded');
});

test('a run that is being stored keeps its memory', async ({ workerBench }) => {
  const stored = Promise.withResolvers<void>();
  let started = 0;
  workerBench.executor.onRun = async () => {
    started += 1;
    if (started > 1) return SUCCESS;
    return { ...SUCCESS, files: [{ Name: null, FileName: 'a.xlsx', bytes: Buffer.from('calculated') }] };
  };
  const first = await workerBench.run({ MemoryCost: 80 });
  workerBench.work({ onStore: () => stored.promise });
  await until('the first run has begun', () => started === 1);
  const large = await workerBench.run({ MemoryCost: 80 });
  const small = await workerBench.run();
  await workerBench.status(small, 'Succeeded');
  const { Status } = await workerBench.stored(large);
  stored.resolve();
  expect(Status).toBe('Queued');
  await workerBench.status(first, 'Succeeded');
  await workerBench.status(large, 'Succeeded');
});

test('a run larger than every budget does not wait for a person who keeps no memory in use', async ({
  workerBench,
  prompting,
}) => {
  const waiting = await prompting.run(0);
  const huge = await workerBench.run({ MemoryCost: 5000 });
  await workerBench.status(huge, 'Succeeded');
  expect((await workerBench.stored(waiting)).EndTime).toBeNull();
});
