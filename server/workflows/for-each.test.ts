/** Steps that run once for each row of a table. */
import { describe, expect } from 'vitest';
import { SUCCESS, untilAborted } from '#test/support/fake-executor.ts';
import { test as base } from '#test/support/fixtures/for-each-bench.ts';
import { TABLE, table } from '#test/support/for-each-bench.ts';
import { input } from '#test/support/portal.ts';
import { EMPTY_DEFINITION } from '#test/support/runs.ts';
import { until } from '#test/support/until.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import { cancelWorkflowRun } from './cancel-workflow-run.ts';

const JOINED = {
  ColumnHeaderValues: ['Status', 'RowKey', 'Total'],
  CellUsages: ['Text' as const, 'Text' as const, 'Number' as const],
};
const TAKES_ROWS: ActivityDefinition = { ...EMPTY_DEFINITION, inputs: [input('Amount', { ...TABLE, ...JOINED })] };

const test = base.extend(
  'handedOn',
  ({ forEachSteps: { startWorkerAndEngine, forEach }, chains: { step, outcomes, start, ended } }) => {
    /** Returns the input of the step after the rows, in a workflow over a table with this many rows. */
    async function passedInput(count: number, Name = 'Rows') {
      startWorkerAndEngine();
      const after = await step(
        'after',
        [{ Step: 'each', When: 'always' }],
        { Inputs: [{ Input: 'Amount', From: { Kind: 'Output', Step: 'each', Name } }] },
        { definition: TAKES_ROWS },
      );
      let received: unknown;
      outcomes.set('after', ({ inputs }) => {
        received = JSON.parse(inputs[0]!.value!);
        return SUCCESS;
      });
      const id = await start([...(await forEach(table(count), { OnFailure: 'Continue' })), after]);
      return { id, status: await ended(id), received };
    }

    return passedInput;
  },
);

describe('a For each', () => {
  test('runs its activity once for each row, with the values of its columns, so many at once as it says', async ({
    forEachSteps: { startWorkerAndEngine, forEach },
    chains: { outcomes, start, step, ended, ran, states },
  }) => {
    let now = 0;
    let maxConcurrent = 0;
    const seen = new Set<string | null>();
    startWorkerAndEngine();
    const steps = await forEach(table(12));
    outcomes.set('each', async ({ inputs }) => {
      maxConcurrent = Math.max(maxConcurrent, ++now);
      // Wait for the second row, however late the worker starts it.
      await until('another row runs beside it', () => maxConcurrent > 1);
      await new Promise((resolve) => setTimeout(resolve, 20));
      now--;
      seen.add(inputs[0]!.value);
      return SUCCESS;
    });
    const id = await start([...steps, await step('after', ['each'])]);
    expect(await ended(id)).toBe('Succeeded');
    expect([...seen].map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
    expect(ran.filter((name) => name === 'each').length).toBe(12);
    expect(ran.at(-1)).toBe('after');
    expect(maxConcurrent).toBe(2);
    expect(await states(id)).toMatchObject({ each: 'Succeeded', 'each/c1': 'Succeeded', 'each/c12': 'Succeeded' });
  });

  test('fails where rows fail, and lets all others run', async ({
    forEachSteps: { startWorkerAndEngine, forEach, rowsThatFail },
    chains: { start, ended, states },
  }) => {
    startWorkerAndEngine();
    const id = await start(await forEach(table(5)).then((steps) => (rowsThatFail(2, 4), steps)));
    expect(await ended(id)).toBe('Failed');
    expect(await states(id)).toMatchObject({ each: 'Failed', 'each/c2': 'Failed', 'each/c5': 'Succeeded' });
  });

  test('stops after so many failures as it says', async ({
    forEachSteps: { startWorkerAndEngine, forEach, rowsThatFail },
    chains: { start, ended, states, runOf },
    workerBench,
  }) => {
    startWorkerAndEngine(1);
    const steps = await forEach(table(6), { AtOnce: 1, StopAfterFailures: 2 });
    rowsThatFail(2, 3);
    const id = await start(steps);
    expect(await ended(id)).toBe('Failed');
    expect(await states(id)).toMatchObject({ 'each/c1': 'Succeeded', 'each/c3': 'Failed', 'each/c4': 'Stopped' });
    expect(await workerBench.messages((await runOf(id, 'each', 'c6')).Id)).toEqual(['Not run: 2 rows did not succeed']);
  });

  test('of a table without rows has succeeded', async ({
    forEachSteps: { startWorkerAndEngine, forEach },
    chains: { start, ended, ran },
  }) => {
    startWorkerAndEngine();
    const id = await start(await forEach([]));
    expect(await ended(id)).toBe('Succeeded');
    expect(ran).toEqual(['list']);
  });

  test.for<[string, unknown[][], object, string]>([
    ['too many rows', table(10_001), {}, 'The table has 10,001 rows, but a For each allows at most 10,000'],
    [
      'rows of the same name',
      [
        ['x', 1],
        ['x', 2],
      ],
      {},
      'Two rows are named "x" in the column "Company", but row names must be unique',
    ],
    ['a row without a name', [['', 1]], {}, 'Row 1 has no value in the column "Company", which names the rows'],
    ['no such column', [['x', 1]], { KeyColumn: 'Firm' }, 'The table has no column "Firm"'],
  ])(
    'with %s fails and says so',
    async (
      [, rows, more, text],
      { forEachSteps: { startWorkerAndEngine, forEach, logOf }, chains: { start, ended, ran } },
    ) => {
      startWorkerAndEngine();
      const id = await start(await forEach(rows, more));
      expect(await ended(id)).toBe('Failed');
      expect(await logOf(id)).toEqual([text]);
      expect(ran).toEqual(['list']);
    },
  );

  test('is cancelled with its rows', async ({
    forEachSteps: { startWorkerAndEngine, forEach },
    chains: { outcomes, start, ran, ended, states },
    workerBench,
  }) => {
    startWorkerAndEngine();
    const steps = await forEach(table(6));
    outcomes.set('each', async (request) => untilAborted(request));
    const id = await start(steps);
    await until('rows run', () => ran.filter((name) => name === 'each').length === 2);
    await cancelWorkflowRun(workerBench.database, workerBench.signals, id);
    expect(await ended(id)).toBe('Cancelled');
    expect(Object.values(await states(id)).filter((state) => state === 'Cancelled').length).toBe(7);
  });

  test('that is resumed runs the rows again that did not succeed, and no others', async ({
    forEachSteps: { startWorkerAndEngine, forEach, rowsThatFail, resume },
    chains: { start, step, ended, ran, outcomes, states },
  }) => {
    startWorkerAndEngine();
    const steps = await forEach(table(6));
    rowsThatFail(2, 5);
    const id = await start([...steps, await step('after', ['each'])]);
    expect(await ended(id)).toBe('Failed');
    ran.length = 0;
    const values: (string | null)[] = [];
    outcomes.set('each', ({ inputs }) => {
      values.push(...inputs.map(({ value }) => value));
      return SUCCESS;
    });
    const again = await resume(id);
    expect(await ended(again)).toBe('Succeeded');
    expect(ran.toSorted()).toEqual(['after', 'each', 'each']);
    expect(values.map(Number).toSorted((a, b) => a - b)).toEqual([2, 5]);
    expect(await states(again)).toEqual({
      each: 'Succeeded',
      'each/c2': 'Succeeded',
      'each/c5': 'Succeeded',
      after: 'Succeeded',
    });
  });

  test('is resumed with all its rows when their names and the key of another step look alike', async ({
    forEachSteps: { startWorkerAndEngine, forEach, rowsThatFail, resume },
    chains: { start, ended, states },
  }) => {
    startWorkerAndEngine();
    const rows = [
      ['c1 x', 1],
      ['x', 2],
    ];
    const [list, each] = await forEach(rows, { OnFailure: 'Continue' });
    const other = { ...each, Key: 'each c1', Name: 'each c1' };
    rowsThatFail(1, 2);
    const id = await start([list, each, other]);
    expect(await ended(id)).toBe('Failed');
    rowsThatFail();
    const again = await resume(id);
    expect(await ended(again)).toBe('Succeeded');
    const ofRows = Object.keys(await states(again)).filter((key) => key.includes('/'));
    expect(ofRows.toSorted()).toEqual(['each c1/c1 x', 'each c1/x', 'each/c1 x', 'each/x']);
  });

  test('that a resumed workflow reuses is shown as reused', async ({
    forEachSteps: { startWorkerAndEngine, forEach, resume },
    chains: { fails, start, step, ended, outcomes, ran },
    workerBench,
  }) => {
    startWorkerAndEngine();
    fails('after');
    const id = await start([...(await forEach(table(2))), await step('after', ['each'])]);
    expect(await ended(id)).toBe('Failed');
    outcomes.delete('after');
    ran.length = 0;
    const again = await resume(id);
    expect(await ended(again)).toBe('Succeeded');
    expect(ran).toEqual(['after']);
    const row = await workerBench.database
      .knex('ChecklistRunSteps')
      .where({ ChecklistRunId: again, StepKey: 'each' })
      .first();
    expect(row).toMatchObject({ Status: 'Succeeded', KeptOf: id });
  });
});

describe('what the rows of a For each give', () => {
  test('is one table with the names of the columns that another step takes', async ({ chains, handedOn }) => {
    chains.total('each', '5');
    const { received, status } = await handedOn(3);
    expect([status, received]).toEqual(['Succeeded', [1, 2, 3].map((at) => ['Succeeded', `c${at}`, 5])]);
  });

  test('is a table without rows where there were none', async ({ handedOn }) => {
    expect(await handedOn(0)).toMatchObject({ status: 'Succeeded', received: [] });
  });

  test('is not handed on under a name that no row gives', async ({ chains: { runOf }, workerBench, handedOn }) => {
    const { id, status } = await handedOn(1, 'Sum');
    expect(status).toBe('Failed');
    const { Id } = await runOf(id, 'after');
    expect(await workerBench.messages(Id)).toEqual(['The step that fills "Amount" no longer has an output "Sum"']);
  });
});
