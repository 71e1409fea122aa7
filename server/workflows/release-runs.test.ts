/** Whether released steps go directly to a worker or through the queue. */
import { expect } from 'vitest';
import { test as base } from '#test/support/fixtures/workflow-bench.ts';
import { SUCCESS } from '#test/support/fake-executor.ts';
import { output } from '#test/support/portal.ts';
import { EMPTY_DEFINITION } from '#test/support/runs.ts';
import { until } from '#test/support/until.ts';
import type { ForEachStep } from '#shared/rules/workflows/types.ts';

const test = base.extend('releases', ({ workerBench }) => {
  /** Counts how often workers were notified to poll the queue from now on. */
  function countQueueSignals(): () => number {
    let count = 0;
    const unsubscribe = workerBench.signals.onQueued(() => (count += 1));
    return () => {
      unsubscribe();
      return count;
    };
  }

  /** Starts a worker that polls only when notified, and waits for its first poll to finish. */
  async function workThatRests(concurrency = 2): Promise<void> {
    workerBench.work({ concurrency, pollInterval: 60_000 });
    await until('the worker has room', () => {
      const reservation = workerBench.signals.reserve({ ActivityId: 0, Pool: 'default', RunsAtOnce: 0, MemoryCost: 0 });
      reservation?.release();
      return reservation;
    });
  }

  return { toldOfQueue: countQueueSignals, workThatRests };
});

test('a step goes straight to the worker of its process, and nobody looks for it in the queue', async ({
  chains: { startEngine, start, step, ended, ran },
  workerBench,
  releases: { workThatRests, toldOfQueue: countQueueSignals },
}) => {
  await workThatRests();
  const signalCount = countQueueSignals();
  startEngine();
  const id = await start([await step('a'), await step('b', ['a'])]);
  expect(await ended(id)).toBe('Succeeded');
  expect(ran).toEqual(['a', 'b']);
  expect(signalCount()).toBe(0);
  const held = await workerBench.database.knex('ActivityRuns').where('ChecklistRunId', id).pluck('Fence');
  expect(held).toEqual([1, 1]);
});

test('a step that costs more than the worker has left, or runs alone, goes through the queue', async ({
  chains: { startEngine, step, start, ended, ran },
  workerBench,
  releases: { toldOfQueue: countQueueSignals },
}) => {
  workerBench.work({ concurrency: 2, memoryBudget: 10 });
  const signalCount = countQueueSignals();
  startEngine();
  const [large, alone] = [
    await step('large', [], {}, { MemoryCost: 8 }),
    await step('alone', [], {}, { SingleRun: true }),
  ];
  const id = await start([large, { ...large, Key: 'larger', Name: 'larger' }, alone]);
  expect(await ended(id)).toBe('Succeeded');
  expect(ran.toSorted()).toEqual(['alone', 'large', 'large']);
  expect(signalCount()).toBeGreaterThan(0);
});

test('rows that the worker has no room for take turns one after another', async ({
  chains: { startEngine, step, outcomes, start, ended },
  workerBench,
  releases: { workThatRests },
}) => {
  await workThatRests(1);
  startEngine();
  const Table = {
    RangeType: 'RangeWithColumnHeaders' as const,
    ColumnHeaderValues: ['N'],
    Formats: ['0'],
    CellUsages: ['Number' as const],
  };
  const list = await step('list', [], {}, { definition: { ...EMPTY_DEFINITION, outputs: [output('Table', Table)] } });
  outcomes.set('list', () => ({
    ...SUCCESS,
    outputs: [{ Name: 'Table', Value: '[[1],[2],[3],[4]]', Rows: 4 }],
  }));
  const held = Promise.withResolvers<void>();
  outcomes.set('each', async () => {
    await held.promise;
    return SUCCESS;
  });
  const each: ForEachStep = {
    ...(await step('each', ['list'])),
    Kind: 'ForEach',
    Rows: { Kind: 'Output', Step: 'list', Name: 'Table' },
    KeyColumn: 'N',
    AtOnce: 4,
    StopAfterFailures: null,
  };
  const id = await start([list, each]);
  const rows = await until('all rows have been let go', async () => {
    const of = { ChecklistRunId: id, StepKey: 'each', WaitsForSteps: false };
    const found = await workerBench.database.knex('ActivityRuns').where(of).orderBy('Id').select('Status', 'Turn');
    return found.length === 4 ? (found as { Status: string; Turn: number }[]) : undefined;
  });
  held.resolve();
  // The start of the first row is written some milliseconds later.
  const started = expect.stringMatching(/^(PickedUp|Started)$/);
  expect(rows.map(({ Status }) => Status)).toEqual([started, 'Queued', 'Queued', 'Queued']);
  const [, first, ...others] = rows.map(({ Turn }) => Turn);
  expect(others).toEqual([first! + 1, first! + 2]);
  expect(await ended(id)).toBe('Succeeded');
});
