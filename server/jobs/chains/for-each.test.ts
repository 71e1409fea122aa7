/** Decisions, and steps that run once for each row of a table. */
import { describe, expect, test } from 'vitest';
import { chainBench } from '#test/support/chain-bench.ts';
import { SUCCESS, untilAborted } from '#test/support/fake-executor.ts';
import { input, output } from '#test/support/portal.ts';
import { EMPTY_DEFINITION } from '#test/support/runs.ts';
import { until } from '#test/support/until.ts';
import type { ActivityDefinition } from '#server/executors/executor.ts';
import type { ForEachStep } from '#shared/rules/chains/types.ts';
import { cancelChain } from './cancel-chain.ts';
import { resumeChain } from './resume-chain.ts';

const chains = chainBench();
const { bench, ran, step, start, ended, states, runOf } = chains;

const TABLE = {
  RangeType: 'RangeWithColumnHeaders' as const,
  ColumnHeaderValues: ['Company', 'Value'],
  Formats: ['General', 'General'],
  CellUsages: ['Text' as const, 'Number' as const],
};
const JOINED = {
  ColumnHeaderValues: ['Status', 'RowKey', 'Total'],
  CellUsages: ['Text' as const, 'Text' as const, 'Number' as const],
};
const GIVES_TABLE: ActivityDefinition = { ...EMPTY_DEFINITION, outputs: [output('Table', TABLE)] };

/** A step that gives a table, and one for each of its rows. */
async function forEach(rows: unknown[][], more: Partial<ForEachStep> = {}) {
  const list = await step('list', [], {}, { definition: GIVES_TABLE });
  chains.outcomes.set('list', () => ({
    ...SUCCESS,
    outputs: [{ Name: 'Table', Value: JSON.stringify(rows), Rows: rows.length }],
  }));
  const { After, ActivityId, Key, Name, Join, OnFailure } = await step('each', ['list']);
  const each: ForEachStep = {
    Kind: 'ForEach',
    Key,
    Name,
    After,
    Join,
    OnFailure,
    ActivityId,
    Inputs: [{ Input: 'Amount', From: { Kind: 'Column', Name: 'value' } }],
    Rows: { Kind: 'Output', Step: 'list', Name: 'Table' },
    KeyColumn: 'Company',
    AtOnce: 2,
    StopAfterFailures: null,
    ...more,
  };
  return [list, each] as const;
}
const table = (count: number): unknown[][] => Array.from({ length: count }, (_, at) => [`c${at + 1}`, at + 1]);
const rowsThatFail = (...values: number[]) =>
  chains.outcomes.set('each', ({ inputs }) => ({
    ...SUCCESS,
    status: values.includes(Number(inputs[0]!.value)) ? 'Failed' : 'Succeeded',
  }));
const carryOut = (concurrency = 6) => {
  bench.work({ concurrency });
  return chains.hearingEngine();
};
const resume = async (id: number): Promise<number> => {
  const { UserId } = await chains.stored(id);
  return (await resumeChain(bench.database, bench.signals, id, { UserId, UniqueId: null })).Id;
};
const logOf = (ChecklistRunId: number): Promise<string[]> =>
  bench.database.knex('ChecklistRunLogEntries').where({ ChecklistRunId }).orderBy('Id').pluck('Message');

describe('a For each', () => {
  test('runs its activity once for each row, with the values of its columns, so many at once as it says', async () => {
    let now = 0;
    let most = 0;
    const seen = new Set<string | null>();
    carryOut();
    const steps = await forEach(table(12));
    chains.outcomes.set('each', async ({ inputs }) => {
      most = Math.max(most, ++now);
      // However late the worker comes to the second.
      await until('another row runs beside it', () => most > 1);
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
    expect(most).toBe(2);
    expect(await states(id)).toMatchObject({ each: 'Succeeded', 'each/c1': 'Succeeded', 'each/c12': 'Succeeded' });
  });

  test('fails where rows fail, and lets all others run', async () => {
    carryOut();
    const id = await start(await forEach(table(5)).then((steps) => (rowsThatFail(2, 4), steps)));
    expect(await ended(id)).toBe('Failed');
    expect(await states(id)).toMatchObject({ each: 'Failed', 'each/c2': 'Failed', 'each/c5': 'Succeeded' });
  });

  test('stops after so many failures as it says', async () => {
    carryOut(1);
    const steps = await forEach(table(6), { AtOnce: 1, StopAfterFailures: 2 });
    rowsThatFail(2, 3);
    const id = await start(steps);
    expect(await ended(id)).toBe('Failed');
    expect(await states(id)).toMatchObject({ 'each/c1': 'Succeeded', 'each/c3': 'Failed', 'each/c4': 'Stopped' });
    expect(await bench.messages((await runOf(id, 'each', 'c6')).Id)).toEqual(['Not run: 2 rows did not succeed']);
  });

  test('of a table without rows has succeeded', async () => {
    carryOut();
    const id = await start(await forEach([]));
    expect(await ended(id)).toBe('Succeeded');
    expect(ran).toEqual(['list']);
  });

  test.each([
    ['too many rows', table(10_001), {}, 'The table has 10,001 rows; a For each takes 10,000 at most'],
    [
      'rows of the same name',
      [
        ['x', 1],
        ['x', 2],
      ],
      {},
      'Two rows are called "x" in the column "Company", which names the rows',
    ],
    ['a row without a name', [['', 1]], {}, 'Row 1 has no value in the column "Company", which names the rows'],
    ['no such column', [['x', 1]], { KeyColumn: 'Firm' }, 'The table has no column "Firm"'],
  ])('with %s fails and says so', async (_, rows, more, text) => {
    carryOut();
    const id = await start(await forEach(rows, more));
    expect(await ended(id)).toBe('Failed');
    expect(await logOf(id)).toEqual([text]);
    expect(ran).toEqual(['list']);
  });

  test('is cancelled with its rows', async () => {
    carryOut();
    const steps = await forEach(table(6));
    chains.outcomes.set('each', async (request) => untilAborted(request));
    const id = await start(steps);
    await until('rows run', () => ran.filter((name) => name === 'each').length === 2);
    await cancelChain(bench.database, bench.signals, id);
    expect(await ended(id)).toBe('Cancelled');
    expect(Object.values(await states(id)).filter((state) => state === 'Cancelled').length).toBe(7);
  });

  test('that is resumed runs the rows again that did not succeed, and no others', async () => {
    carryOut();
    const steps = await forEach(table(6));
    rowsThatFail(2, 5);
    const id = await start([...steps, await step('after', ['each'])]);
    expect(await ended(id)).toBe('Failed');
    ran.length = 0;
    const values: (string | null)[] = [];
    chains.outcomes.set('each', ({ inputs }) => {
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

  test('that is kept by a resumed chain is shown as kept', async () => {
    carryOut();
    chains.fails('after');
    const id = await start([...(await forEach(table(2))), await step('after', ['each'])]);
    expect(await ended(id)).toBe('Failed');
    chains.outcomes.delete('after');
    ran.length = 0;
    const again = await resume(id);
    expect(await ended(again)).toBe('Succeeded');
    expect(ran).toEqual(['after']);
    const row = await bench.database
      .knex('ChecklistRunSteps')
      .where({ ChecklistRunId: again, StepKey: 'each' })
      .first();
    expect(row).toMatchObject({ Status: 'Succeeded', KeptOf: id });
  });
});

describe('a step that is run again by hand', () => {
  const retry = async (id: number, StepKey: string, GoOn: boolean): Promise<number> => {
    const { UserId } = await chains.stored(id);
    const by = { UserId, UniqueId: null, only: { StepKey, GoOn } };
    return (await resumeChain(bench.database, bench.signals, id, by)).Id;
  };
  /** Two branches that failed, each with a step after it that was not run. */
  async function twoBranches(): Promise<number> {
    carryOut();
    const branch = { OnFailure: 'Continue' as const };
    for (const name of ['a', 'x']) chains.fails(name);
    const steps = [await step('first'), await step('a', ['first'], branch), await step('b', ['a'], branch)];
    const id = await start([...steps, await step('x', ['first'], branch), await step('y', ['x'], branch)]);
    expect(await ended(id)).toBe('Failed');
    chains.outcomes.clear();
    ran.length = 0;
    return id;
  }

  test('alone leaves all others as they ended, and the whole is not shown as one that succeeded', async () => {
    const id = await twoBranches();
    const again = await retry(id, 'a', false);
    expect(await ended(again)).toBe('Failed');
    expect(ran).toEqual(['a']);
    expect(await logOf(again)).toEqual(['Only step "a" is run again; everything else stays as it was']);
    const other = await retry(again, 'x', false);
    // Nothing is wrong any more, but b and y were never run.
    expect(await ended(other)).toBe('Cancelled');
    expect(ran).toEqual(['a', 'x']);
    const last = await resume(other);
    expect(await ended(last)).toBe('Succeeded');
    expect(ran.toSorted()).toEqual(['a', 'b', 'x', 'y']);
  });

  test('goes on from there, where that is asked for, and not from others that failed', async () => {
    const again = await retry(await twoBranches(), 'a', true);
    expect(await ended(again)).toBe('Failed');
    expect(ran).toEqual(['a', 'b']);
  });

  test('is run though another one stopped the whole', async () => {
    carryOut();
    for (const name of ['a', 'x']) chains.fails(name);
    const id = await start([
      await step('a', [], { OnFailure: 'Continue' }),
      await step('x', ['a'], { Join: 'AllEnded' }),
    ]);
    await ended(id);
    chains.outcomes.delete('a');
    ran.length = 0;
    const again = await retry(id, 'a', false);
    expect(await ended(again)).toBe('Failed');
    expect(ran).toEqual(['a']);
  });

  test('runs one of its rows alone, whatever became of the others and however many may fail', async () => {
    carryOut();
    const steps = await forEach(table(5), { StopAfterFailures: 2 });
    rowsThatFail(2, 4);
    const id = await start(steps);
    expect(await ended(id)).toBe('Failed');
    chains.outcomes.delete('each');
    ran.length = 0;
    const { UserId } = await chains.stored(id);
    const only = { StepKey: 'each', GoOn: true, RowKey: 'c4' };
    const again = await resumeChain(bench.database, bench.signals, id, { UserId, UniqueId: null, only });
    // The other one is kept as failed.
    expect(await ended(again.Id)).toBe('Failed');
    expect(ran).toEqual(['each']);
    expect(await states(again.Id)).toMatchObject({ each: 'Failed', 'each/c4': 'Succeeded' });
    const missing = resumeChain(bench.database, bench.signals, again.Id, {
      UserId,
      UniqueId: null,
      only: { ...only, RowKey: 'c1' },
    });
    await expect(missing).rejects.toThrow('The step has no such row that did not succeed');
  });

  test('runs its rows alone that failed', async () => {
    carryOut();
    const steps = await forEach(table(5), { OnFailure: 'Continue' });
    rowsThatFail(2, 4);
    const id = await start([...steps, await step('after', [{ Step: 'each', When: 'always' }])]);
    expect(await ended(id)).toBe('Failed');
    rowsThatFail(4);
    ran.length = 0;
    const again = await retry(id, 'each', false);
    expect(await ended(again)).toBe('Failed');
    expect(ran).toEqual(['each', 'each']);
    rowsThatFail();
    expect(await ended(await retry(again, 'each', true))).toBe('Succeeded');
    expect(ran).toEqual(['each', 'each', 'each']);
  });

  test('is refused where it succeeded, or there is none, or the run has been gone on from', async () => {
    const id = await twoBranches();
    await expect(retry(id, 'first', false)).rejects.toMatchObject({ code: 'stepSucceeded', status: 409 });
    await expect(retry(id, 'none', false)).rejects.toMatchObject({ code: 'stepNotFound', status: 404 });
    await ended(await retry(id, 'a', false));
    await expect(retry(id, 'x', false)).rejects.toMatchObject({ code: 'runResumed' });
  });
});

describe('what the rows of a For each give', () => {
  const TAKES_ROWS: ActivityDefinition = { ...EMPTY_DEFINITION, inputs: [input('Amount', { ...TABLE, ...JOINED })] };

  /** What the step after the rows was given, in a chain of a table of so many rows. */
  async function handedOn(count: number, Name = 'Rows') {
    carryOut();
    const after = await step(
      'after',
      [{ Step: 'each', When: 'always' }],
      { Inputs: [{ Input: 'Amount', From: { Kind: 'Output', Step: 'each', Name } }] },
      { definition: TAKES_ROWS },
    );
    let given: unknown;
    chains.outcomes.set('after', ({ inputs }) => {
      given = JSON.parse(inputs[0]!.value!);
      return SUCCESS;
    });
    const id = await start([...(await forEach(table(count), { OnFailure: 'Continue' })), after]);
    return { id, status: await ended(id), given };
  }

  test('is one table with the names of the columns that another step takes', async () => {
    chains.total('each', '5');
    const { given, status } = await handedOn(3);
    expect([status, given]).toEqual(['Succeeded', [1, 2, 3].map((at) => ['Succeeded', `c${at}`, 5])]);
  });

  test('is a table without rows where there were none', async () => {
    expect(await handedOn(0)).toMatchObject({ status: 'Succeeded', given: [] });
  });

  test('is not handed on under a name that no row gives', async () => {
    const { id, status } = await handedOn(1, 'Sum');
    expect(status).toBe('Failed');
    const { Id } = await runOf(id, 'after');
    expect(await bench.messages(Id)).toEqual(['The step that fills "Amount" has no output "Sum" any more']);
  });
});

describe('a decision', () => {
  const decision = (Condition: string) =>
    ({
      Kind: 'Decision',
      Key: 'd',
      Name: 'Is it much?',
      After: [{ Step: 'a', When: 'success' }],
      Join: 'AllSucceeded',
      OnFailure: 'Stop',
      Condition,
      Values: [{ Name: 'Total', From: { Kind: 'Output', Step: 'a', Name: 'Total' } }],
    }) as const;
  const chainOf = async (condition: string) => {
    const d = decision(condition);
    const many = await step('much', [{ Step: 'd', When: 'yes' }]);
    const few = await step('little', [{ Step: 'd', When: 'no' }]);
    return [await step('a'), { ...d, After: [...d.After], Values: [...d.Values] }, many, few];
  };

  test.each([
    ['42', 'much', 'little', 'Yes: Total > 40 (Total is 42)'],
    ['7', 'little', 'much', 'No: Total > 40 (Total is 7)'],
  ])('on %s goes one way and not the other, and says why', async (total, runs, not, text) => {
    carryOut();
    chains.total('a', total);
    const id = await start(await chainOf('Total > 40'));
    expect(await ended(id)).toBe('Succeeded');
    expect(await states(id)).toMatchObject({ d: 'Succeeded', [runs]: 'Succeeded', [not]: 'LeftOut' });
    expect(await logOf(id)).toEqual([text]);
  });

  test('that cannot be made is a failure', async () => {
    carryOut();
    const id = await start(await chainOf('Total >'));
    expect(await ended(id)).toBe('Failed');
    expect(await states(id)).toMatchObject({ d: 'Failed', much: 'Stopped', little: 'Stopped' });
  });
});
