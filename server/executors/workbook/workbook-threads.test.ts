import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunLogLine, RunOutcome, RunRequest } from '#server/executors/executor.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { stepSheet } from '#test/support/step-portal.ts';
import { until } from '#test/support/until.ts';
import {
  definitionOf,
  DOUBLE,
  never,
  nextVersion,
  slowBook,
  TABLE,
  value,
  valueOf,
  workbookExecutors,
} from '#test/support/workbook-executors.ts';
import { NO_SERVICES } from '../step-services.ts';
import { createWorkbookExecutor } from './workbook-executor.ts';

const { activity, executorWith, shared } = workbookExecutors();

describe('runs beside each other', () => {
  it('never see each other’s values', async () => {
    const made = await activity(TABLE);
    const row = fc.tuple(fc.string({ maxLength: 5 }), fc.integer({ min: -1000, max: 1000 }), fc.constant(null));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(row, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 4 }),
        async (tables) => {
          const outcomes = await Promise.all([...tables.map((rows) => made.run([value('Lines', rows)])), made.run([])]);
          for (const [index, rows] of tables.entries()) {
            expect(valueOf(outcomes[index]!, 'Amounts')).toBe(rows.reduce((sum, [, amount]) => sum + amount, 0));
          }
          expect(valueOf(outcomes.at(-1)!, 'Amounts')).toBe(150);
          expect(valueOf(outcomes.at(-1)!, 'Lines')).toEqual([
            ['a', 100, 20],
            ['b', 50, 10],
          ]);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('a thread', () => {
  it('that was started ahead takes the first run', async () => {
    const executor = executorWith({ threads: 2 });
    executor.prepare(false);
    const [thread] = executor.pool.threads();
    expect(thread?.isFree).toBe(true);
    const made = await activity(DOUBLE, executor);
    expect((await made.run([])).status).toBe('Succeeded');
    expect(executor.pool.threads()).toEqual([thread]);
    executor.prepare(true);
    expect(executor.pool.threads()).toEqual([thread]);
    expect(executor.formPool.threads()).toHaveLength(1);
  });

  it('is really ended by a cancel, and by the time limit, without harming others', { timeout: 120_000 }, async () => {
    const executor = executorWith({ threads: 2 });
    const quick = await activity(DOUBLE, executor);
    const definition = await definitionOf(DOUBLE, executor);
    const bytes = await buildWorkbook(slowBook());
    const slow = (
      signal: AbortSignal,
      timeLimit: number,
      log: RunLogLine[],
      onProgress: (phase: string) => void,
    ): Promise<RunOutcome> =>
      executor.run({
        versionKey: `slow ${nextVersion()}`,
        definition: {
          ...definition,
          outputs: [
            {
              ...definition.outputs[0]!,
              location: { sheet: 0, block: { top: 5999, left: 1, bottom: 5999, right: 1 } },
            },
          ],
        },
        fileName: 'slow.xlsx',
        readWorkbook: () => Promise.resolve(Uint8Array.from(bytes)),
        inputs: [value('X', 2)],
        timeLimit,
        signal,
        onLog: (line) => log.push(line),
        onProgress,
      });

    const abort = new AbortController();
    const { promise: calculating, resolve } = Promise.withResolvers<void>();
    const cancelled = slow(abort.signal, 600_000, [], (phase) => (phase === 'Calculating' ? resolve() : undefined));
    await calculating;
    const busy = executor.pool.threads().find(({ isFree }) => !isFree)!;
    const beside = quick.run([value('X', 4)]);
    abort.abort(new Error('cancelled by Jane'));
    await expect(cancelled).rejects.toThrow('cancelled by Jane');
    await busy.exited;
    expect(executor.pool.threads()).not.toContain(busy);
    expect(valueOf(await beside, 'Y')).toBe(8);

    const log: RunLogLine[] = [];
    expect(await slow(never, 1500, log, () => undefined)).toEqual({ status: 'Failed', outputs: [], files: [] });
    expect(log).toEqual([
      { Message: 'The calculation took longer than 1.5 seconds and was stopped', StatusCode: 1400, Category: 3 },
    ]);
    expect(valueOf(await quick.run([value('X', 5)]), 'Y')).toBe(10);
  });

  it('that a run fills with memory ends alone, with an error that says so', { timeout: 120_000 }, async () => {
    const executor = executorWith({ threads: 2, memoryBytes: 160 * 2 ** 20 });
    const made = await activity(TABLE, executor);
    const neighbour = await activity(DOUBLE, executor);
    const bomb = value(
      'Lines',
      Array.from({ length: 400_000 }, (_, i) => [`row ${i}`, i, null]),
    );
    const [outcome, beside] = await Promise.all([made.run([bomb]), neighbour.run([value('X', 3)])]);
    expect(outcome).toEqual({ status: 'Failed', outputs: [], files: [] });
    const Message =
      'The workbook needs more memory than allowed. It may use 160 MB; an administrator can raise the limit with RUNSHEET_THREAD_MEMORY_MB';
    expect(made.log).toEqual([{ Message, StatusCode: 1401, Category: 3 }]);
    expect(valueOf(beside, 'Y')).toBe(6);
    expect(valueOf(await made.run([]), 'Tax')).toBe(30);
  });

  it('is given tasks in order, and one that is cancelled while it waits never starts', async () => {
    const executor = executorWith({ threads: 1 });
    const made = await activity(DOUBLE, executor);
    const abort = new AbortController();
    const first = made.run([value('X', 1)]);
    const cancelled = made.run([value('X', 2)], { signal: abort.signal });
    const last = made.run([value('X', 3)]);
    abort.abort(new Error('changed my mind'));
    await expect(cancelled).rejects.toThrow('changed my mind');
    expect([valueOf(await first, 'Y'), valueOf(await last, 'Y')]).toEqual([2, 6]);
    await expect(made.run([], { signal: AbortSignal.abort(new Error('too late')) })).rejects.toThrow('too late');
  });

  it('starts a task once it has loaded, and a task that is cancelled before that has not started', async () => {
    const executor = executorWith({ threads: 1 });
    const made = await activity(DOUBLE, executor);
    const started: string[] = [];
    const run = (name: string, signal = never) => made.run([], { signal, onBegin: () => started.push(name) });
    const abort = new AbortController();
    const cancelled = run('cancelled', abort.signal);
    expect(executor.pool.threads()).toHaveLength(1);
    abort.abort(new Error('changed my mind'));
    await expect(cancelled).rejects.toThrow('changed my mind');
    const first = run('first');
    expect(started).toEqual([]);
    expect((await first).status).toBe('Succeeded');
    expect(started).toEqual(['first']);
    // A thread that is loaded begins immediately.
    const second = run('second');
    expect(started).toEqual(['first', 'second']);
    expect((await second).status).toBe('Succeeded');
    expect(started).toEqual(['first', 'second']);
  });

  it('passes on why a file could not be read', async () => {
    const definition = await definitionOf(DOUBLE, shared);
    const failing = shared.run({
      versionKey: 'never stored',
      definition,
      fileName: 'x.xlsx',
      readWorkbook: () => Promise.reject(new Error('the store is gone')),
      inputs: [],
      timeLimit: 5000,
      signal: never,
      onLog: () => undefined,
      onProgress: () => undefined,
    });
    await expect(failing).rejects.toThrow('the store is gone');
    expect(valueOf(await (await activity(DOUBLE)).run([]), 'Y')).toBe(42);
  });

  it('takes each definition for itself, of the same version too, whichever it was sent before', async () => {
    const executor = executorWith({ threads: 1 });
    const definition = await definitionOf(DOUBLE, executor);
    const bytes = await buildWorkbook(DOUBLE);
    const outputsWith = async (given: typeof definition): Promise<string[]> => {
      const { outputs } = await executor.run({
        versionKey: 'of both',
        definition: given,
        fileName: 'x.xlsx',
        readWorkbook: () => Promise.resolve(Uint8Array.from(bytes)),
        inputs: [value('X', 2)],
        timeLimit: 60_000,
        signal: never,
        onLog: () => undefined,
        onProgress: () => undefined,
      });
      return outputs.map(({ Name }) => Name);
    };
    const without = { ...definition, outputs: [] };
    expect(await outputsWith(definition)).toEqual(['Y']);
    expect(await outputsWith(without)).toEqual([]);
    expect(await outputsWith(definition)).toEqual(['Y']);
    // More than a thread caches.
    for (let other = 0; other < 100; other += 1) await outputsWith({ ...without });
    expect(await outputsWith(definition)).toEqual(['Y']);
  });

  it.for([1, 2])(
    'of %i that calculate runs is left to short ones; a single one has another beside it',
    async (threads) => {
      const executor = executorWith({ threads });
      const definition = await definitionOf(DOUBLE, executor);
      const bytes = await buildWorkbook(DOUBLE);
      const controller = new AbortController();
      const started: string[] = [];
      const run = (name: string, more: Partial<RunRequest>): Promise<RunOutcome> =>
        executor.run({
          versionKey: name,
          definition,
          fileName: 'a.xlsx',
          readWorkbook: () => Promise.resolve(Uint8Array.from(bytes)),
          inputs: [],
          timeLimit: 60_000,
          signal: never,
          onBegin: () => started.push(name),
          onLog: () => {},
          onProgress: () => {},
          ...more,
        });
      const endless = { mayBeLong: true, signal: controller.signal, readWorkbook: () => new Promise<never>(() => {}) };
      const long = Promise.allSettled([run('first long', endless), run('second long', endless)]);
      await until('the first one has begun', () => started.length > 0);
      const unknown = run('unknown', { mayBeLong: true });
      for (let count = 0; count < 3; count += 1) expect((await run('short', {})).status).toBe('Succeeded');
      expect(started).toEqual(['first long', 'short', 'short', 'short']);
      expect(executor.pool.threads()).toHaveLength(2);
      controller.abort(new Error('enough'));
      expect((await long).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect((await unknown).status).toBe('Succeeded');
      expect(started.at(-1)).toBe('unknown');
    },
  );

  it('that a run has longer than a short one takes is not waited for by short runs', async () => {
    const executor = executorWith({ threads: 1 });
    const quick = await activity(DOUBLE, executor);
    const controller = new AbortController();
    const former = executor.run({
      versionKey: 'was short once',
      definition: await definitionOf(DOUBLE, executor),
      fileName: 'a.xlsx',
      inputs: [],
      timeLimit: 60_000,
      signal: controller.signal,
      readWorkbook: () => new Promise(() => {}),
      onLog: () => {},
      onProgress: () => {},
    });
    // Arrives while the former run still counts as short.
    expect((await quick.run([])).status).toBe('Succeeded');
    controller.abort(new Error('enough'));
    await expect(former).rejects.toThrow('enough');
  });

  it('stays if others end that are too many, because they replaced those that waited for people', async () => {
    const executor = executorWith({ threads: 2 });
    const [sheet] = DOUBLE.sheets;
    const ask = stepSheet([{ Step: 'Ask', Action: 'Prompt', Cell: 'S!A3', Message: 'Which?' }]);
    const book = { ...DOUBLE, sheets: [{ ...sheet!, cells: { ...sheet!.cells, A3: 'x' } }, ask] };
    const bytes = await buildWorkbook(book);
    const definition = await definitionOf(book, executor);
    let asked = 0;
    const { promise: answer, resolve } = Promise.withResolvers<{ value: string }>();
    const prompt = (): typeof answer => {
      asked += 1;
      return answer;
    };
    const runs = Array.from({ length: 5 }, () =>
      executor.run({
        versionKey: 'asks',
        definition,
        fileName: 'asks.xlsx',
        readWorkbook: () => Promise.resolve(Uint8Array.from(bytes)),
        inputs: [],
        timeLimit: 60_000,
        services: { ...NO_SERVICES, prompt },
        signal: never,
        onLog: () => {},
        onProgress: () => {},
      }),
    );
    await until('all have asked', () => asked === runs.length || undefined);
    expect(executor.pool.threads()).toHaveLength(5);
    resolve({ value: 'y' });
    const outcomes = await Promise.all(runs);
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'Succeeded'));
    await until('the others have ended', () => executor.pool.threads().every(({ isAlive }) => isAlive) || undefined);
    expect(executor.pool.threads()).toHaveLength(2);
  });

  it('closes with its executor, and waiting tasks are notified', async () => {
    const executor = createWorkbookExecutor({ threads: 1 });
    const made = await activity(DOUBLE, executor);
    const runs = [made.run([]), made.run([])];
    const settled = Promise.allSettled(runs);
    await executor.close();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(executor.pool.threads()).toEqual([]);
    await expect(made.run([])).rejects.toThrow('closed');
  });
});

describe('the phases of a run', () => {
  it('say that a workbook is opened and when it is calculated, the first time for a thread as well', async () => {
    const made = await activity(DOUBLE, executorWith({ threads: 1 }));
    const phasesOf = async (): Promise<string[]> => {
      const phases: string[] = [];
      await made.run([value('X', 2)], { onProgress: (phase) => phases.push(phase) });
      return phases;
    };
    const after = ['Writing inputs', 'Calculating', 'Writing the workbook'];
    expect(await phasesOf()).toEqual(['Opening the workbook', 'Calculating', ...after]);
    expect(await phasesOf()).toEqual(['Opening the workbook', ...after]);
  });
});
