/** Cancelling a whole checklist or workflow, and resuming one that did not succeed. */
import { describe, expect } from 'vitest';
import { test as base } from '#test/support/fixtures/workflow-bench.ts';
import { valueRow } from '#test/support/workflow-bench.ts';
import { SUCCESS, untilAborted } from '#test/support/fake-executor.ts';
import { insertRun } from '#test/support/runs.ts';
import { until } from '#test/support/until.ts';
import { cancelWorkflowRun } from './cancel-workflow-run.ts';
import { resumeWorkflowRun } from './resume-workflow-run.ts';

const test = base.extend('resumed', ({ chains: { stored, runOf }, workerBench }) => {
  const cancel = (id: number) => cancelWorkflowRun(workerBench.database, workerBench.signals, id);

  const resume = async (id: number, UniqueId: string | null = null): Promise<number> => {
    const { UserId } = await stored(id);
    return (await resumeWorkflowRun(workerBench.database, workerBench.signals, id, { UserId, UniqueId })).Id;
  };

  const isAtWork = (id: number, key: string) =>
    until(`${key} runs`, async () => ['PickedUp', 'Started'].includes((await runOf(id, key)).Status));
  const reusedRuns = (ChecklistRunId: number) =>
    workerBench.database.knex('ChecklistKeptRuns').where({ ChecklistRunId }).orderBy('StepKey');

  /** Stores the same rows as a Start step. */
  async function starts(ParentRunId: number, RootRunId: number, more: object = {}): Promise<void> {
    const { ActivityId, UserId } = await workerBench.database.knex('ActivityRuns').where('Id', ParentRunId).first();
    const of = { StepKey: '1', StepName: 'Start', ActivityId, ActivityVersion: 1, UserId, RowCount: 2, AtOnce: 1 };
    await workerBench.database.knex('RunStarts').insert({ ParentRunId, RootRunId, Rows: null, ...of, ...more });
  }

  async function child(ParentRunId: number, RowKey: string, Status: string, more: object = {}): Promise<number> {
    const { ActivityId, UserId } = await workerBench.database.knex('ActivityRuns').where('Id', ParentRunId).first();
    const row = { ParentRunId, StepKey: '1', RowKey, Status, ...more };
    return insertRun(workerBench.database.knex, { ActivityId, UserId, ...row });
  }

  const below = (ParentRunId: number) =>
    workerBench.database.knex('ActivityRuns').where({ ParentRunId }).orderBy('RowKey').pluck('Status');
  return { cancel, resume, isAtWork, reusedRuns, starts, child, below };
});

describe('a cancelled workflow', () => {
  test('stops what runs, ends what waits in the same transaction, and starts nothing more', async ({
    chains: { startEngine, outcomes, start, step, ran, states, runOf, ended },
    workerBench,
    resumed: { cancel },
  }) => {
    workerBench.work();
    startEngine();
    let stopped = false;
    outcomes.set('b', async (request) => {
      await untilAborted(request).finally(() => (stopped = true));
      return SUCCESS;
    });
    const id = await start([await step('a'), await step('b', ['a']), await step('c', ['b']), await step('d', ['c'])]);
    await until('b runs', () => ran.includes('b'));
    expect(await cancel(id)).toBe('stopping');
    expect(await states(id)).toMatchObject({ a: 'Succeeded', c: 'Cancelled', d: 'Cancelled' });
    expect(await workerBench.messages((await runOf(id, 'd')).Id)).toEqual(['Not run: the run was cancelled']);
    expect(await ended(id)).toBe('Cancelled');
    expect({ stopped, ran: [...ran] }).toEqual({ stopped: true, ran: ['a', 'b'] });
    expect(await cancel(id)).toBe('ended');
  });

  test('ends a step in the queue without a worker, and lets the next run of its activity in', async ({
    chains,
    resumed: { cancel },
  }) => {
    const engine = chains.engine();
    const [a, b] = [await chains.step('a', [], {}, { SingleRun: true }), await chains.step('b')];
    const ids = [await chains.start([a, b]), await chains.start([a])];
    for (const id of ids) await engine.advance(id);
    expect(await chains.states(ids[1]!)).toEqual({ a: 'QueuedInSeq' });
    expect(await cancel(ids[0]!)).toBe('cancelled');
    await engine.advance(ids[0]!);
    expect(await chains.states(ids[0]!)).toEqual({ a: 'Cancelled', b: 'Cancelled' });
    expect((await chains.stored(ids[0]!)).Status).toBe('Cancelled');
    expect(await chains.states(ids[1]!)).toEqual({ a: 'Queued' });
  });

  test('begins nothing although a step that ended at that moment leads on', async ({
    chains: { startEngine, start, step, runOf, ended, states },
    workerBench,
    resumed: { cancel },
  }) => {
    const engine = startEngine();
    workerBench.work();
    const id = await start([await step('a'), await step('b', ['a'])]);
    await engine.advance(id);
    await until('a ends', async () => (await runOf(id, 'a')).EndTime !== null);
    await Promise.all([cancel(id), engine.advance(id), engine.advance(id)]);
    expect(['Cancelled', 'Succeeded']).toContain(await ended(id));
    expect(['Cancelled', 'Succeeded']).toContain((await states(id))['b']);
  });
});

describe('what the steps of a workflow have started', () => {
  const EndTime = new Date();

  test('is cancelled with it, at each level, whether it runs, waits or is not yet made, although those between have ended', async ({
    chains: { startEngine, outcomes, start, step, runOf, ended },
    workerBench,
    resumed: { isAtWork, starts, child, cancel, below },
  }) => {
    const engine = startEngine();
    workerBench.work();
    outcomes.set('b', async (request) => untilAborted(request));
    const id = await start([await step('a'), await step('b', ['a'])]);
    await engine.advance(id);
    await isAtWork(id, 'b');
    const { Id: a } = await runOf(id, 'a');
    await starts(a, a, { EndTime });
    const done = await child(a, 'x', 'Succeeded', { EndTime });
    await starts(done, a);
    const grandchild = await child(done, 'x', 'Succeeded', { EndTime });
    await child(done, 'y', 'QueuedInSeq', { WaitsForSteps: true });
    const Rows = JSON.stringify({
      Inputs: [],
      Rows: [
        ['p', []],
        ['q', []],
      ],
    });
    await starts(grandchild, a, { Rows });

    expect(await cancel(id)).toBe('stopping');
    expect([await below(done), await below(grandchild)]).toEqual([
      ['Succeeded', 'Cancelled'],
      ['Cancelled', 'Cancelled'],
    ]);
    expect(await ended(id)).toBe('Cancelled');
  });
});

describe('a resumed workflow', () => {
  test('keeps what had succeeded by reference and runs everything else again, with its inputs', async ({
    chains: { startEngine, total, fails, step, start, ended, ran, outcomes, stored, runOf, states },
    workerBench,
    resumed: { resume, reusedRuns },
  }) => {
    workerBench.work();
    startEngine();
    total('a', '7');
    fails('c');
    const seen: (string | null)[] = [];
    const inputs = [{ Input: 'Amount', From: { Kind: 'Output' as const, Step: 'a', Name: 'Total' } }];
    const steps = [
      await step('a'),
      await step('b', ['a']),
      await step('c', ['b']),
      await step('d', ['c'], { Inputs: inputs }),
    ];
    const { Id: amount } = await workerBench.database
      .knex('ActivityParameters')
      .where({ ActivityId: steps[2]!.ActivityId, NameKey: 'amount' })
      .first('Id');
    const id = await start(steps, { c: [valueRow(amount, '5')] });
    expect(await ended(id)).toBe('Failed');
    ran.length = 0;
    for (const name of ['c', 'd']) {
      outcomes.set(name, (request) => {
        seen.push(...request.inputs.map(({ value }) => value));
        return SUCCESS;
      });
    }
    const again = await resume(id);
    expect(await ended(again)).toBe('Succeeded');
    expect(ran).toEqual(['c', 'd']);
    expect(seen).toEqual(['5', '7']);
    expect(await stored(again)).toMatchObject({ ResumeOf: id });
    const first = [(await runOf(id, 'a')).Id, (await runOf(id, 'b')).Id];
    expect((await reusedRuns(again)).map(({ StepKey, ActivityRunId }) => [StepKey, ActivityRunId])).toEqual([
      ['a', first[0]],
      ['b', first[1]],
    ]);
    expect(await states(id)).toMatchObject({ c: 'Failed', d: 'Stopped' });
  });

  test('again keeps what any of those before it came to', async ({
    chains: { startEngine, fails, start, step, ended, outcomes, ran },
    workerBench,
    resumed: { resume, reusedRuns },
  }) => {
    workerBench.work();
    startEngine();
    fails('b');
    const id = await start([await step('a'), await step('b', ['a']), await step('c', ['b']), await step('d', ['c'])]);
    await ended(id);
    outcomes.delete('b');
    fails('d');
    const second = await resume(id);
    expect(await ended(second)).toBe('Failed');
    outcomes.delete('d');
    ran.length = 0;
    const third = await resume(second);
    expect(await ended(third)).toBe('Succeeded');
    expect(ran).toEqual(['d']);
    expect((await reusedRuns(third)).map(({ StepKey }) => StepKey)).toEqual(['a', 'b', 'c']);
  });

  test('does not keep what dealt with a failure that may not happen again', async ({
    chains: { startEngine, fails, step, start, ended, outcomes, states },
    workerBench,
    resumed: { resume },
  }) => {
    workerBench.work();
    startEngine();
    fails('a');
    fails('x');
    const steps = [
      await step('a', [], { OnFailure: 'Handled' }),
      await step('mend', [{ Step: 'a', When: 'failure' }]),
      await step('x', [], { OnFailure: 'Continue' }),
    ];
    const id = await start(steps);
    expect(await ended(id)).toBe('Failed');
    outcomes.clear();
    const again = await resume(id);
    expect(await ended(again)).toBe('Succeeded');
    expect(await states(again)).toEqual({ a: 'Succeeded', mend: 'LeftOut', x: 'Succeeded' });
  });

  test('is refused while it runs, where it succeeded, and twice at the same time', async ({
    chains: { fails, step, start, startEngine, ended, outcomes },
    workerBench,
    resumed: { resume, isAtWork },
  }) => {
    fails('a');
    const steps = [await step('a')];
    const id = await start(steps);
    await expect(resume(id)).rejects.toMatchObject({ code: 'runPending' });
    workerBench.work();
    startEngine();
    workerBench.signals.stepEnded(id);
    await ended(id);
    const release: (() => void)[] = [];
    outcomes.set('a', async () => {
      await new Promise<void>((resolve) => release.push(resolve));
      return SUCCESS;
    });
    const tries = await Promise.allSettled([resume(id), resume(id), resume(id)]);
    expect(tries.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    const again = tries.find((one) => one.status === 'fulfilled')!.value;
    await isAtWork(again, 'a');
    await until('it waits', () => release.length > 0);
    release[0]!();
    await ended(again);
    await expect(resume(again)).rejects.toMatchObject({ code: 'runSucceeded' });
    await expect(resume(id)).rejects.toMatchObject({ code: 'runResumed' });
    const nowhere = resumeWorkflowRun(workerBench.database, workerBench.signals, again + 1000, {
      UserId: 1,
      UniqueId: null,
    });
    await expect(nowhere).rejects.toMatchObject({ status: 404 });
  });

  test('is refused where outputs it keeps were purged', async ({
    chains: { startEngine, fails, start, step, ended, runOf },
    workerBench,
    resumed: { resume },
  }) => {
    workerBench.work();
    startEngine();
    fails('b');
    const id = await start([await step('a'), await step('b', ['a'])]);
    await ended(id);
    const { Id } = await runOf(id, 'a');
    await workerBench.database.knex('ActivityRuns').where({ Id }).update({ OutputsPurgedTime: new Date() });
    await expect(resume(id)).rejects.toMatchObject({ code: 'runPurged' });
  });
});
