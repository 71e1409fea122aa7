/** Steps that a person runs again: alone, with the steps after them, or one of their rows. */
import { describe, expect } from 'vitest';
import { test as base } from '#test/support/fixtures/for-each-bench.ts';
import { table } from '#test/support/for-each-bench.ts';
import { resumeWorkflowRun } from './resume-workflow-run.ts';

const test = base.extend(
  'retries',
  ({
    forEachSteps: { startWorkerAndEngine },
    chains: { stored, fails, step, start, ended, outcomes, ran },
    workerBench,
  }) => {
    const retry = async (id: number, StepKey: string, GoOn: boolean): Promise<number> => {
      const { UserId } = await stored(id);
      const From = { Steps: [StepKey], Following: GoOn ? ('Unsuccessful' as const) : ('None' as const) };
      const by = { UserId, UniqueId: null, From };
      return (await resumeWorkflowRun(workerBench.database, workerBench.signals, id, by)).Id;
    };

    /** Two branches whose first steps failed, each followed by a step that was not run. */
    async function twoBranches(): Promise<number> {
      startWorkerAndEngine();
      const branch = { OnFailure: 'Continue' as const };
      for (const name of ['a', 'x']) fails(name);
      const steps = [await step('first'), await step('a', ['first'], branch), await step('b', ['a'], branch)];
      const id = await start([...steps, await step('x', ['first'], branch), await step('y', ['x'], branch)]);
      expect(await ended(id)).toBe('Failed');
      outcomes.clear();
      ran.length = 0;
      return id;
    }

    return { retry, twoBranches };
  },
);

describe('a step that is run again by hand', () => {
  test('alone leaves all others as they ended, and the whole is not shown as one that succeeded', async ({
    forEachSteps: { logOf, resume },
    chains: { ended, ran },
    retries: { twoBranches, retry },
  }) => {
    const id = await twoBranches();
    const again = await retry(id, 'a', false);
    expect(await ended(again)).toBe('Failed');
    expect(ran).toEqual(['a']);
    expect(await logOf(again)).toEqual(['Only step "a" will run again; everything else stays unchanged']);
    const other = await retry(again, 'x', false);
    // Nothing fails any more, but b and y were never run.
    expect(await ended(other)).toBe('Cancelled');
    expect(ran).toEqual(['a', 'x']);
    const last = await resume(other);
    expect(await ended(last)).toBe('Succeeded');
    expect(ran.toSorted()).toEqual(['a', 'b', 'x', 'y']);
  });

  test('resumes there if that is requested, and not at others that failed', async ({
    chains: { ended, ran },
    retries: { retry, twoBranches },
  }) => {
    const again = await retry(await twoBranches(), 'a', true);
    expect(await ended(again)).toBe('Failed');
    expect(ran).toEqual(['a', 'b']);
  });

  test('is run though another one stopped the whole', async ({
    forEachSteps: { startWorkerAndEngine },
    chains: { fails, start, step, ended, outcomes, ran },
    retries: { retry },
  }) => {
    startWorkerAndEngine();
    for (const name of ['a', 'x']) fails(name);
    const id = await start([
      await step('a', [], { OnFailure: 'Continue' }),
      await step('x', ['a'], { Join: 'AllEnded' }),
    ]);
    await ended(id);
    outcomes.delete('a');
    ran.length = 0;
    const again = await retry(id, 'a', false);
    expect(await ended(again)).toBe('Failed');
    expect(ran).toEqual(['a']);
  });

  test('runs one of its rows alone, whatever became of the others and however many may fail', async ({
    forEachSteps: { startWorkerAndEngine, forEach, rowsThatFail },
    chains: { start, ended, outcomes, ran, stored, states },
    workerBench,
  }) => {
    startWorkerAndEngine();
    const steps = await forEach(table(5), { StopAfterFailures: 2 });
    rowsThatFail(2, 4);
    const id = await start(steps);
    expect(await ended(id)).toBe('Failed');
    outcomes.delete('each');
    ran.length = 0;
    const { UserId } = await stored(id);
    const From = { Steps: ['each'], Following: 'Unsuccessful' as const, RowKey: 'c4' };
    const again = await resumeWorkflowRun(workerBench.database, workerBench.signals, id, {
      UserId,
      UniqueId: null,
      From,
    });
    // The other row is reused as failed.
    expect(await ended(again.Id)).toBe('Failed');
    expect(ran).toEqual(['each']);
    expect(await states(again.Id)).toMatchObject({ each: 'Failed', 'each/c4': 'Succeeded' });
    const missing = resumeWorkflowRun(workerBench.database, workerBench.signals, again.Id, {
      UserId,
      UniqueId: null,
      From: { ...From, RowKey: 'c1' },
    });
    await expect(missing).rejects.toThrow('The step has no unsuccessful row with this name');
  });

  test('runs its rows alone that failed', async ({
    forEachSteps: { startWorkerAndEngine, forEach, rowsThatFail },
    chains: { start, step, ended, ran },
    retries: { retry },
  }) => {
    startWorkerAndEngine();
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

  test('is refused if it succeeded, does not exist, or the run was already resumed', async ({
    chains: { ended },
    retries: { twoBranches, retry },
  }) => {
    const id = await twoBranches();
    await expect(retry(id, 'first', false)).rejects.toMatchObject({ code: 'stepSucceeded', status: 409 });
    await expect(retry(id, 'none', false)).rejects.toMatchObject({ code: 'stepNotFound', status: 404 });
    await ended(await retry(id, 'a', false));
    await expect(retry(id, 'x', false)).rejects.toMatchObject({ code: 'runResumed' });
  });
});
