/** Steps that may repeat, after a server was interrupted while running them. */
import { expect } from 'vitest';
import { test as base } from '#test/support/fixtures/workflow-bench.ts';
import { valueRow } from '#test/support/workflow-bench.ts';
import { SUCCESS, untilAborted } from '#test/support/fake-executor.ts';
import { output } from '#test/support/portal.ts';
import { EMPTY_DEFINITION } from '#test/support/runs.ts';
import { until } from '#test/support/until.ts';
import type { ActivityStep, ForEachStep } from '#shared/rules/workflows/types.ts';
import { cancelWorkflowRun } from './cancel-workflow-run.ts';

const MAY_REPEAT = { MayRepeat: true };

const test = base.extend('abandoned', ({ chains: { runOf }, workerBench }) => {
  /** Makes the run look as if the server that executes it has died. */
  async function lose(Id: number): Promise<void> {
    const lost = { Status: 'Started', WorkerId: 'gone', LeaseUntil: new Date(Date.now() - 60_000) };
    await workerBench.database.knex('ActivityRuns').where({ Id }).update(lost);
    await workerBench.reaper().reap();
  }

  /** Waits for the given attempt of a step to be queued. */
  const queued = (workflowRunId: number, key: string, attempt: number, row = '') =>
    until(`attempt ${attempt} of ${key} is queued`, async () => {
      const run = await runOf(workflowRunId, key, row);
      return run?.Attempt === attempt && run.Status === 'Queued' ? run : undefined;
    });

  const inputsOf = (ActivityRunId: number): Promise<string[]> =>
    workerBench.database.knex('RunInputs').where({ ActivityRunId }).pluck('Value');
  const parameterOf = async ({ ActivityId }: ActivityStep): Promise<number> =>
    (await workerBench.database.knex('ActivityParameters').where({ ActivityId, Direction: 'input' }).first('Id')).Id;
  return { lose, queued, inputsOf, parameterOf };
});

test('starts again automatically with what was entered, and later steps take what the second attempt returned', async ({
  chains: { step, total, start, startEngine, ended, runOf, states },
  workerBench,
  abandoned: { parameterOf, queued, lose, inputsOf },
}) => {
  const a = await step('a', [], MAY_REPEAT);
  const Amount = { Input: 'Amount', From: { Kind: 'Output', Step: 'a', Name: 'Total' } } as const;
  const b = await step('b', ['a'], { ...MAY_REPEAT, Inputs: [Amount] });
  total('a', '42');
  const id = await start([a, b], { a: [valueRow(await parameterOf(a), '7')] });
  const engine = startEngine();
  await engine.advance(id);
  const first = await queued(id, 'a', 1);
  await lose(first.Id);
  const second = await queued(id, 'a', 2);
  expect(second.RetryOf).toBe(first.Id);
  expect(await inputsOf(second.Id)).toEqual(['7']);
  expect(await workerBench.messages(first.Id)).toContain('It is run again automatically: attempt 2 of 3');

  workerBench.work();
  expect(await ended(id)).toBe('Succeeded');
  expect(await inputsOf((await runOf(id, 'b')).Id)).toEqual(['42']);
  expect(await states(id)).toEqual({ a: 'Succeeded', b: 'Succeeded' });
});

test('gets the outputs of an earlier step again, once', async ({
  chains: { total, start, step, startEngine, outcomes, runOf, ended },
  workerBench,
  abandoned: { lose, inputsOf },
}) => {
  const Amount = { Input: 'Amount', From: { Kind: 'Output', Step: 'a', Name: 'Total' } } as const;
  total('a', '42');
  const id = await start([await step('a'), await step('b', ['a'], { ...MAY_REPEAT, Inputs: [Amount] })]);
  const engine = startEngine();
  workerBench.work({ concurrency: 6 });
  outcomes.set('b', untilAborted);
  await engine.advance(id);
  const first = await until('b runs', async () => {
    const run = await runOf(id, 'b');
    return run.Status === 'Started' ? run : undefined;
  });
  await lose(first.Id);
  const second = await until('b runs again', async () => {
    const run = await runOf(id, 'b');
    return run.Attempt === 2 && run.Status === 'Started' ? run : undefined;
  });
  expect(await inputsOf(second.Id)).toEqual(['42']);
  await cancelWorkflowRun(workerBench.database, workerBench.signals, id);
  await ended(id);
});

test('is given up after the third time, and follows its failure policy then', async ({
  chains: { start, step, startEngine, ended, states },
  abandoned: { lose, queued },
}) => {
  const id = await start([await step('a', [], MAY_REPEAT), await step('b', ['a'])]);
  const engine = startEngine();
  await engine.advance(id);
  for (const attempt of [1, 2, 3]) await lose((await queued(id, 'a', attempt)).Id);
  expect(await ended(id)).toBe('Failed');
  expect(await states(id)).toEqual({ a: 'Abandoned', b: 'Stopped' });
});

test('no longer starts once its workflow was cancelled, or another step has stopped it', async ({
  chains,
  workerBench,
  abandoned: { queued, lose },
}) => {
  const cancelled = await chains.start([await chains.step('a', [], MAY_REPEAT)]);
  const engine = chains.engine();
  await engine.advance(cancelled);
  const { Id } = await queued(cancelled, 'a', 1);
  await lose(Id);
  await cancelWorkflowRun(workerBench.database, workerBench.signals, cancelled);
  await engine.advance(cancelled);
  expect(await chains.ended(cancelled)).toBe('Cancelled');
  expect((await chains.runOf(cancelled, 'a')).Attempt).toBe(1);

  const stopped = await chains.start([await chains.step('c', [], MAY_REPEAT), await chains.step('d')]);
  await engine.advance(stopped);
  await lose((await queued(stopped, 'd', 1)).Id);
  await lose((await queued(stopped, 'c', 1)).Id);
  await engine.advance(stopped);
  expect(await chains.ended(stopped)).toBe('Failed');
  expect(await chains.states(stopped)).toEqual({ c: 'Stopped', d: 'Abandoned' });
});

test('begins again where a server died before anything could follow, once however many look', async ({
  chains: { start, step, engine },
  workerBench,
  abandoned: { lose, queued },
}) => {
  const id = await start([await step('a', [], MAY_REPEAT)]);
  const [one, two] = [engine(workerBench.otherSignals()), engine(workerBench.otherSignals())];
  await one.advance(id);
  await lose((await queued(id, 'a', 1)).Id);
  await Promise.all([one.sweep(), two.sweep(), one.advance(id), two.advance(id)]);
  const runs = await workerBench.database
    .knex('ActivityRuns')
    .where('ChecklistRunId', id)
    .orderBy('Id')
    .pluck('Status');
  expect(runs).toEqual(['Abandoned', 'Queued']);
});

test('of rows the one alone that was interrupted begins again, with its values', async ({
  chains: { step, outcomes, start, startEngine, runOf, ended },
  workerBench,
  abandoned: { lose, inputsOf },
}) => {
  const list = await step('list', [], {}, { definition: GIVES_TABLE });
  const Value = JSON.stringify([
    ['c1', 1],
    ['c2', 2],
  ]);
  outcomes.set('list', () => ({ ...SUCCESS, outputs: [{ Name: 'Table', Value, Rows: 2 }] }));
  const each: ForEachStep = {
    ...(await step('each', ['list'])),
    ...MAY_REPEAT,
    Kind: 'ForEach',
    Inputs: [{ Input: 'Amount', From: { Kind: 'Column', Name: 'Value' } }],
    Rows: { Kind: 'Output', Step: 'list', Name: 'Table' },
    KeyColumn: 'Company',
    AtOnce: 2,
    StopAfterFailures: 1,
  };
  const id = await start([list, each]);
  const engine = startEngine();
  workerBench.work({ concurrency: 6 });
  outcomes.set('each', untilAborted);
  await engine.advance(id);
  const first = await until('the row runs', async () => {
    const run = await runOf(id, 'each', 'c2');
    return run?.Status === 'Started' ? run : undefined;
  });
  await lose(first.Id);
  const again = await until('the row begins again', async () => {
    const run = await runOf(id, 'each', 'c2');
    return run.Attempt === 2 && run.Status === 'Started' ? run : undefined;
  });
  expect(again.RowIndex).toBe(first.RowIndex);
  expect(await inputsOf(again.Id)).toEqual(['2']);
  expect((await runOf(id, 'each', 'c1')).Attempt).toBe(1);
  await cancelWorkflowRun(workerBench.database, workerBench.signals, id);
  await ended(id);
});

const GIVES_TABLE = {
  ...EMPTY_DEFINITION,
  outputs: [
    output('Table', {
      RangeType: 'RangeWithColumnHeaders' as const,
      ColumnHeaderValues: ['Company', 'Value'],
      Formats: ['General', 'General'],
      CellUsages: ['Text' as const, 'Number' as const],
    }),
  ],
};
