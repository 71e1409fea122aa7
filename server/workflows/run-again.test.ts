/** Steps of an ended workflow that a person runs again with everything after them, also if they had succeeded. */
import { describe, expect } from 'vitest';
import { test as base } from '#test/support/fixtures/for-each-bench.ts';
import { table } from '#test/support/for-each-bench.ts';
import { SUCCESS } from '#test/support/fake-executor.ts';
import { valueRow } from '#test/support/workflow-bench.ts';
import { cancelWorkflowRun } from './cancel-workflow-run.ts';
import { resumeWorkflowRun, type ResumedBy } from './resume-workflow-run.ts';

const test = base.extend(
  'again',
  ({
    forEachSteps: { startWorkerAndEngine, forEach },
    chains: { step, start, ended, ran, stored, total },
    workerBench,
  }) => {
    const { database, signals } = workerBench;

    const runAgain = async (id: number, steps: string[], more: Partial<ResumedBy> = {}, RowKey?: string) => {
      const { UserId } = await stored(id);
      const From = { Steps: steps, Following: 'All' as const, ...(RowKey === undefined ? {} : { RowKey }) };
      return (await resumeWorkflowRun(database, signals, id, { UserId, UniqueId: null, From, ...more })).Id;
    };

    /** a → b → c, where b takes the Total of a, and x beside them; all succeed. */
    async function threeAndOne(): Promise<number> {
      startWorkerAndEngine();
      total('a', '7');
      const Inputs = [{ Input: 'Amount', From: { Kind: 'Output' as const, Step: 'a', Name: 'Total' } }];
      const steps = [await step('a'), await step('b', ['a'], { Inputs }), await step('c', ['b']), await step('x')];
      const id = await start(steps);
      expect(await ended(id)).toBe('Succeeded');
      ran.length = 0;
      return id;
    }

    /** A table of three rows, a step for each of them, and one step after it; all succeed. */
    async function rowsAndAfter(): Promise<number> {
      startWorkerAndEngine();
      const steps = await forEach(table(3));
      const id = await start([...steps, await step('after', ['each'])]);
      expect(await ended(id)).toBe('Succeeded');
      ran.length = 0;
      return id;
    }

    const reusedOf = (ChecklistRunId: number) =>
      database.knex('ChecklistKeptRuns').where({ ChecklistRunId }).orderBy('StepKey').orderBy('RowKey');
    return { runAgain, threeAndOne, rowsAndAfter, reusedOf };
  },
);

describe('a step that succeeded', () => {
  test('runs again with the steps after it, takes reused outputs, and leaves the earlier run as it is', async ({
    chains: { ran, ended, outcomes, runOf, states },
    forEachSteps: { logOf },
    again: { threeAndOne, runAgain, reusedOf },
  }) => {
    const id = await threeAndOne();
    const seen: (string | null)[] = [];
    outcomes.set('b', ({ inputs }) => {
      seen.push(...inputs.map(({ value }) => value));
      return SUCCESS;
    });
    const next = await runAgain(id, ['b']);
    expect(await ended(next)).toBe('Succeeded');
    expect({ ran: [...ran], seen }).toEqual({ ran: ['b', 'c'], seen: ['7'] });
    const reused = await reusedOf(next);
    expect(reused.map(({ StepKey, ActivityRunId }) => [StepKey, ActivityRunId])).toEqual([
      ['a', (await runOf(id, 'a')).Id],
      ['x', (await runOf(id, 'x')).Id],
    ]);
    expect(await logOf(next)).toEqual(['Runs again from step "b"; everything else is reused']);
    expect(await states(id)).toEqual({ a: 'Succeeded', b: 'Succeeded', c: 'Succeeded', x: 'Succeeded' });
  });

  test('runs again from a run that reused it, and from one that was cancelled on the way', async ({
    chains: { ran, ended, runOf },
    workerBench: { database, signals },
    again: { threeAndOne, runAgain, reusedOf },
  }) => {
    const id = await threeAndOne();
    const second = await runAgain(id, ['c']);
    await ended(second);
    const third = await runAgain(second, ['b']);
    await ended(third);
    expect(ran).toEqual(['c', 'b', 'c']);
    expect((await reusedOf(third)).map(({ ActivityRunId }) => ActivityRunId)).toEqual([
      (await runOf(id, 'a')).Id,
      (await runOf(id, 'x')).Id,
    ]);
    const fourth = await runAgain(third, ['a']);
    await cancelWorkflowRun(database, signals, fourth);
    await ended(fourth);
    ran.length = 0;
    const last = await runAgain(fourth, ['a']);
    expect(await ended(last)).toBe('Succeeded');
    expect(ran).toEqual(['a', 'b', 'c']);
  });

  test('runs again once if two people do it at the same time', async ({
    chains: { ended },
    again: { threeAndOne, runAgain },
  }) => {
    const id = await threeAndOne();
    const tries = await Promise.allSettled([runAgain(id, ['b']), runAgain(id, ['a']), runAgain(id, ['x'])]);
    const done = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refusals = tries.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []));
    expect(done).toHaveLength(1);
    for (const code of refusals) expect(['retryPending', 'runResumed']).toContain(code);
    await ended(done[0]!);
  });

  test('takes the new values of changed inputs, and steps that do not read them keep their results', async ({
    chains: { step, start, ended, ran, outcomes, stored },
    forEachSteps: { startWorkerAndEngine, logOf },
    workerBench: { database },
    again: { runAgain },
  }) => {
    startWorkerAndEngine();
    const Inputs = [{ Input: 'Amount', From: { Kind: 'Input' as const, Name: 'Rate' } }];
    const steps = [await step('a', [], { Inputs }), await step('b'), await step('c', ['b'])];
    const amount = { ActivityId: steps[0]!.ActivityId, NameKey: 'amount' };
    const { Id } = await database.knex('ActivityParameters').where(amount).first('Id');
    const id = await start(steps, { a: [valueRow(Id, '5')] });
    await ended(id);
    ran.length = 0;
    const seen: (string | null)[] = [];
    outcomes.set('a', ({ inputs }) => {
      seen.push(...inputs.map(({ value }) => value));
      return SUCCESS;
    });
    const entered = { Inputs: '["new"]', rows: new Map([['a', [valueRow(Id, '6')]]]) };
    const next = await runAgain(id, ['c'], { ChangedInputs: ['Rate'], entered });
    expect(await ended(next)).toBe('Succeeded');
    expect({ ran: ran.toSorted(), seen }).toEqual({ ran: ['a', 'c'], seen: ['6'] });
    expect((await stored(next)).Inputs).toBe('["new"]');
    expect(await logOf(next)).toEqual([
      'Runs again from step "c", with other values for "Rate"; everything else is reused',
    ]);
  });

  test('that a reused decision or failure keeps from running is refused, with the reason', async ({
    chains: { step, start, ended, fails },
    forEachSteps: { startWorkerAndEngine },
    again: { runAgain },
  }) => {
    startWorkerAndEngine();
    fails('a');
    const id = await start([await step('a'), await step('b', ['a'])]);
    expect(await ended(id)).toBe('Failed');
    await expect(runAgain(id, ['b'])).rejects.toMatchObject({
      code: 'stepBlocked',
      message: 'Step "b" cannot run again without the steps before it: step "a" did not succeed',
    });
    await expect(runAgain(id, ['none'])).rejects.toMatchObject({ code: 'stepNotFound', status: 404 });
  });
});

describe('what the new run needs', () => {
  test('may have been purged since, which is refused with the names of the steps', async ({
    workerBench: { database },
    chains: { runOf },
    again: { threeAndOne, runAgain },
  }) => {
    const id = await threeAndOne();
    const purge = async (key: string, column: string) =>
      database
        .knex('ActivityRuns')
        .where('Id', (await runOf(id, key)).Id)
        .update({ [column]: new Date() });
    await purge('x', 'OutputsPurgedTime');
    await expect(runAgain(id, ['b'])).rejects.toMatchObject({
      code: 'runPurged',
      message: 'Outputs of steps that succeeded were purged, so the run cannot be resumed: "x"',
    });
    await database.knex('ActivityRuns').update({ OutputsPurgedTime: null });
    const { Id: ActivityRunId, ActivityId } = await runOf(id, 'a');
    const of = { ActivityId, Direction: 'output' as const };
    const parameter = await database.knex('ActivityParameters').where(of).first('Id');
    const file = {
      ActivityRunId,
      ActivityParameterId: parameter!.Id,
      ArrayIndex: 1,
      FileName: 'Lines.xlsx',
      FileId: null,
    };
    await database.knex('RunOutputs').insert(file);
    await expect(runAgain(id, ['b'])).rejects.toMatchObject({
      code: 'runPurged',
      message: 'Outputs of steps that succeeded were purged, so the run cannot be resumed: "a"',
    });
    await database.knex('RunOutputs').where(file).delete();
    await purge('c', 'InputsPurgedTime');
    await expect(runAgain(id, ['b', 'x'])).rejects.toMatchObject({
      message: 'Inputs of this run were purged, so it cannot be resumed: "c"',
    });
  });

  test('must not run twice: runs that a step started have to end first', async ({
    workerBench: { database },
    chains: { runOf, ended },
    again: { threeAndOne, runAgain },
  }) => {
    const id = await threeAndOne();
    const { Id: ParentRunId, ActivityId, UserId } = await runOf(id, 'c');
    const of = { StepKey: '1', StepName: 'Start', ActivityId, ActivityVersion: 1, UserId, RowCount: 2, AtOnce: 1 };
    await database.knex('RunStarts').insert({ ParentRunId, RootRunId: ParentRunId, Rows: null, ...of });
    await expect(runAgain(id, ['b'])).rejects.toMatchObject({
      code: 'startedPending',
      message: 'Runs that these steps started have not ended yet: "c"',
    });
    await database.knex('RunStarts').where({ ParentRunId }).update({ EndTime: new Date() });
    expect(await ended(await runAgain(id, ['b']))).toBe('Succeeded');
  });
});

describe('a step for each row', () => {
  test('runs all its rows again, with its reused table', async ({
    chains: { ended, ran, states },
    again: { rowsAndAfter, runAgain },
  }) => {
    const next = await runAgain(await rowsAndAfter(), ['each']);
    expect(await ended(next)).toBe('Succeeded');
    expect(ran).toEqual(['each', 'each', 'each', 'after']);
    expect(await states(next)).toMatchObject({ 'each/c1': 'Succeeded', 'each/c3': 'Succeeded', each: 'Succeeded' });
  });

  test('runs one row again although it succeeded, reuses the others, and continues after it', async ({
    chains: { ended, ran },
    again: { rowsAndAfter, runAgain, reusedOf },
  }) => {
    const id = await rowsAndAfter();
    await expect(runAgain(id, ['each'], {}, 'c9')).rejects.toMatchObject({ code: 'rowNotFound', status: 404 });
    const next = await runAgain(id, ['each'], {}, 'c2');
    expect(await ended(next)).toBe('Succeeded');
    expect(ran).toEqual(['each', 'after']);
    const reused = (await reusedOf(next)).map(({ StepKey, RowKey }) => [StepKey, RowKey]);
    expect(reused).toEqual([
      ['each', 'c1'],
      ['each', 'c3'],
      ['list', ''],
    ]);
  });

  test('runs all its rows again if an input of its table changes, although one of them was chosen', async ({
    chains: { ended, ran, start, step },
    forEachSteps: { startWorkerAndEngine, forEach },
    again: { runAgain },
  }) => {
    startWorkerAndEngine();
    const Inputs = [{ Input: 'Amount', From: { Kind: 'Input' as const, Name: 'Rate' } }];
    const [list, each] = await forEach(table(2));
    const After = [{ Step: 'first', When: 'success' as const }];
    const id = await start([await step('first', [], { Inputs }), { ...list, After }, each]);
    expect(await ended(id)).toBe('Succeeded');
    ran.length = 0;
    const changed = { ChangedInputs: ['Rate'] };
    await expect(runAgain(id, ['each'], changed, 'c9')).rejects.toMatchObject({ code: 'rowNotFound' });
    expect(await ended(await runAgain(id, ['each'], changed, 'c2'))).toBe('Succeeded');
    expect(ran).toEqual(['first', 'list', 'each', 'each']);
  });

  test('takes the rows of a table that is made again', async ({
    chains: { ended, ran, outcomes, states },
    again: { rowsAndAfter, runAgain },
  }) => {
    const id = await rowsAndAfter();
    outcomes.set('list', () => ({
      ...SUCCESS,
      outputs: [{ Name: 'Table', Value: JSON.stringify([['new', 1]]), Rows: 1 }],
    }));
    const next = await runAgain(id, ['list']);
    expect(await ended(next)).toBe('Succeeded');
    expect(ran).toEqual(['list', 'each', 'after']);
    expect(await states(next)).toMatchObject({ 'each/new': 'Succeeded' });
  });
});
