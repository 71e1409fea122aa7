/** Running checklists and workflows. */
import { describe, expect } from 'vitest';
import { test as base } from '#test/support/fixtures/workflow-bench.ts';
import { untilAborted } from '#test/support/fake-executor.ts';
import { until } from '#test/support/until.ts';
import { cancelRun } from '#server/queue/cancel-run.ts';
import { enqueueRun } from '#server/queue/enqueue-run.ts';
import { nameKey } from '#server/versions/version-catalog.ts';

const test = base.extend('engines', ({ chains, workerBench }) => {
  function startWorkerAndEngine() {
    workerBench.work();
    return chains.startEngine();
  }

  const parameter = async (ActivityId: number, Name: string): Promise<number> =>
    (
      await workerBench.database
        .knex('ActivityParameters')
        .where({ ActivityId, NameKey: nameKey(Name) })
        .first('Id')
    ).Id;

  return { startWorkerAndEngine, parameter };
});

describe('a workflow', () => {
  test('runs its steps one after another, and each knows the workflow', async ({
    chains: { start, step, ended, ran, states, runOf },
    engines: { startWorkerAndEngine },
  }) => {
    startWorkerAndEngine();
    const id = await start([await step('a'), await step('b', ['a']), await step('c', ['b'])]);
    expect(await ended(id)).toBe('Succeeded');
    expect(ran).toEqual(['a', 'b', 'c']);
    expect(await states(id)).toEqual({ a: 'Succeeded', b: 'Succeeded', c: 'Succeeded' });
    const row = await runOf(id, 'b');
    expect(row).toMatchObject({
      ChecklistRunId: id,
      RowKey: '',
      Attempt: 1,
      WaitsForSteps: false,
      NotRunBecause: null,
    });
  });

  test('stops at a step that fails, and says in the log of the others why they were not run', async ({
    chains: { fails, start, step, ended, states, runOf, ran },
    workerBench,
    engines: { startWorkerAndEngine },
  }) => {
    startWorkerAndEngine();
    fails('b');
    const id = await start([await step('a'), await step('b', ['a']), await step('c', ['b'])]);
    expect(await ended(id)).toBe('Failed');
    expect(await states(id)).toEqual({ a: 'Succeeded', b: 'Failed', c: 'Stopped' });
    expect(await workerBench.messages((await runOf(id, 'c')).Id)).toEqual(['Not run: step "b" did not succeed']);
    expect(ran).toEqual(['a', 'b']);
  });

  test('begins steps side by side, and the step after them once, when the last has ended', async ({
    chains: { startEngine, step, start, ended, ran },
    workerBench,
  }) => {
    workerBench.work({ concurrency: 8 });
    startEngine();
    const parents = await Promise.all(['p1', 'p2', 'p3', 'p4', 'p5', 'p6'].map((key) => step(key)));
    const last = await step(
      'last',
      parents.map(({ Key }) => Key),
    );
    const ids = await Promise.all([1, 2, 3, 4, 5].map(() => start([...parents, last])));
    for (const id of ids) expect(await ended(id)).toBe('Succeeded');
    expect(ran.filter((name) => name === 'last').length).toBe(5);
    expect(ran.length).toBe(35);
  });

  test('hands an output on to the input that is mapped to it, and keeps the inputs that were entered', async ({
    chains: { total, outcomes, step, start, ended, runOf },
    workerBench,
    engines: { startWorkerAndEngine, parameter },
  }) => {
    startWorkerAndEngine();
    total('a', '42');
    const seen: unknown[] = [];
    outcomes.set('b', ({ inputs }) => {
      seen.push(inputs.map(({ Name, value }) => [Name, value]));
      return { status: 'Succeeded', outputs: [], files: [] };
    });
    const b = await step('b', ['a'], {
      Inputs: [{ Input: 'amount', From: { Kind: 'Output', Step: 'a', Name: 'TOTAL' } }],
    });
    const id = await start([await step('a'), b]);
    expect(await ended(id)).toBe('Succeeded');
    expect(seen).toEqual([[['Amount', '42']]]);
    const rows = await workerBench.database.knex('RunInputs').where({ ActivityRunId: (await runOf(id, 'b')).Id });
    expect(rows).toMatchObject([{ ActivityParameterId: await parameter(b.ActivityId, 'Amount'), Value: '42' }]);
  });

  test('fails a step that its user may no longer run, with the text that says so', async ({
    chains: { step, prepare, start, ended, states, runOf },
    workerBench,
    engines: { startWorkerAndEngine },
  }) => {
    startWorkerAndEngine();
    const b = await step('b', ['a']);
    prepare.step = async ({ ActivityId }) =>
      ActivityId === b.ActivityId ? { refused: 'You may not run this any more' } : { refused: null, inputs: [] };
    const id = await start([await step('a'), b, await step('c', ['b'])]);
    expect(await ended(id)).toBe('Failed');
    expect(await states(id)).toEqual({ a: 'Succeeded', b: 'Failed', c: 'Stopped' });
    expect(await workerBench.messages((await runOf(id, 'b')).Id)).toEqual(['You may not run this any more']);
  });

  test('whose step a person cancels continues as after a failure', async ({
    chains: { outcomes, start, step, runOf, ended, states },
    workerBench,
    engines: { startWorkerAndEngine },
  }) => {
    startWorkerAndEngine();
    outcomes.set('a', untilAborted);
    const id = await start([await step('a', [], { OnFailure: 'Continue' }), await step('b'), await step('c', ['a'])]);
    const { Id, ActivityId } = await until('a runs', async () => {
      const row = await runOf(id, 'a');
      return row.Status === 'Started' ? row : undefined;
    });
    await cancelRun(workerBench.database, workerBench.signals, { Id, ActivityId, SingleRun: false });
    expect(await ended(id)).toBe('Failed');
    expect(await states(id)).toEqual({ a: 'Cancelled', b: 'Succeeded', c: 'Blocked' });
  });
});

describe('a step that waits', () => {
  test('keeps no other run of an activity that prevents simultaneous ones waiting, and waits for these itself', async ({
    chains: { step, outcomes, start, ran, stored, runOf, ended },
    workerBench,
    engines: { startWorkerAndEngine },
  }) => {
    const b = await step('b', ['a'], {}, { SingleRun: true });
    let release: () => void = () => {};
    outcomes.set('a', async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return { status: 'Succeeded', outputs: [], files: [] };
    });
    startWorkerAndEngine();
    const id = await start([await step('a'), b]);
    await until('a runs', () => ran.includes('a'));
    const { UserId } = await stored(id);
    const other = {
      ActivityId: b.ActivityId,
      ActivityVersion: 1,
      UserId,
      UniqueId: null,
      RetryOf: null,
      MemoryCost: 0,
    };
    const alone = await enqueueRun(workerBench.database, { ...other, SingleRun: true }, []);
    expect(alone.Status).toBe('Queued');
    expect((await runOf(id, 'b')).WaitsForSteps).toBe(true);
    release();
    workerBench.signals.queued();
    expect(await ended(id)).toBe('Succeeded');
    await workerBench.status(alone.Id, 'Succeeded');
  });
});

describe('a workflow whose server died', () => {
  test('between the end of a step and what follows is found by the next look', async ({ chains, workerBench }) => {
    workerBench.work();
    const id = await chains.start([await chains.step('a'), await chains.step('b', ['a'])]);
    const engine = chains.engine();
    await engine.sweep();
    await until('a ends', async () => (await chains.runOf(id, 'a')).EndTime !== null);
    expect((await chains.runOf(id, 'b')).WaitsForSteps).toBe(true);
    await engine.sweep();
    await until('b ends', async () => (await chains.runOf(id, 'b')).EndTime !== null);
    expect((await chains.stored(id)).EndTime).toBeNull();
    await engine.sweep();
    expect(await chains.ended(id)).toBe('Succeeded');
  });

  test('continues with its failure policy if the worker of a step is lost', async ({
    chains: { step, start, startEngine, runOf, ended, states },
    workerBench,
  }) => {
    const a = await step('a');
    const id = await start([a, await step('b', ['a'])]);
    const engine = startEngine();
    await engine.advance(id);
    const lost = { Status: 'Started', WorkerId: 'gone', LeaseUntil: new Date(Date.now() - 60_000) };
    await workerBench.database
      .knex('ActivityRuns')
      .where({ Id: (await runOf(id, 'a')).Id })
      .update(lost);
    await workerBench.reaper().reap();
    expect(await ended(id)).toBe('Failed');
    expect(await states(id)).toEqual({ a: 'Abandoned', b: 'Stopped' });
  });
});

test('two servers that learn of the last two parents at the same time start what follows once', async ({
  chains: { engine, step, start, runOf, ended, ran },
  workerBench,
}) => {
  workerBench.work({ concurrency: 4 });
  const [one, two] = [engine(workerBench.otherSignals()), engine(workerBench.otherSignals())];
  const parents = [await step('p1'), await step('p2')];
  const Steps = [...parents, await step('last', ['p1', 'p2'])];
  for (let round = 0; round < 10; round++) {
    const id = await start(Steps);
    await Promise.all([one.advance(id), two.advance(id)]);
    workerBench.signals.queued();
    await until('the parents end', async () => (await runOf(id, 'p1')).EndTime && (await runOf(id, 'p2')).EndTime);
    await Promise.all([one.advance(id), two.advance(id), one.advance(id), two.advance(id)]);
    await until('the last ends', async () => (await runOf(id, 'last')).EndTime);
    await Promise.all([one.advance(id), two.advance(id)]);
    expect(await ended(id)).toBe('Succeeded');
  }
  expect(ran.filter((name) => name === 'last').length).toBe(10);
});
