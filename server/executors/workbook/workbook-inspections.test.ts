import { describe, expect, it } from 'vitest';
import { hostileFiles } from '#test/hostile/hostile-files.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import type { WorkbookSpec } from '#test/support/build-workbook.ts';
import { isFullSet } from '#test/support/test-set.ts';
import { definitionOf, DOUBLE, never, slowBook, workbookExecutors } from '#test/support/workbook-executors.ts';

const { executorWith, shared } = workbookExecutors();

describe('an inspection', () => {
  it('reports how the recalculation agrees with the saved values, and which differences feed outputs', async () => {
    const cells = {
      A1: 1,
      A2: { formula: 'A1+1', value: 3 },
      A3: { formula: 'A1+2', value: 9 },
      A4: { formula: 'A1', value: 1 },
    };
    const bytes = await buildWorkbook({ sheets: [{ name: 'S', cells }], names: { out_Y: 'S!$A$3' } });
    const { fidelity } = await shared.inspect({ fileName: 'a.xlsx', bytes, acceptUnsupported: [] }, never);
    expect(fidelity).toMatchObject({
      Formulas: 3,
      Equal: 1,
      Different: 2,
      DifferentFeedingOutputs: 1,
      Differences: [
        { Sheet: 'S', Cell: 'A3', Formula: 'A1+2', Saved: '9', Got: '3', FeedsOutput: true },
        { Sheet: 'S', Cell: 'A2', FeedsOutput: false },
      ],
    });
  });

  it('refuses a function the engine lacks on the way to an output, unless it is accepted by name', async () => {
    const cells = { A1: { formula: 'CUBEVALUE("a","b")', value: 1 }, A2: { formula: 'A1+1', value: 2 }, A3: 1 };
    const names = { out_Y: 'S!$A$2' };
    const bytes = await buildWorkbook({ sheets: [{ name: 'S', cells }], names });
    const refused = await shared.inspect({ fileName: 'a.xlsx', bytes, acceptUnsupported: [] }, never);
    expect(refused.definition).toBeNull();
    expect(refused.problems).toMatchObject([
      { Sheet: 'S', Cell: 'A1', Message: expect.stringContaining('CUBEVALUE') as string },
    ]);
    expect(refused.fidelity!.Unsupported).toEqual([{ Name: 'CUBEVALUE', Sheet: 'S', Cell: 'A1', FeedsOutput: true }]);
    const accepted = await shared.inspect({ fileName: 'a.xlsx', bytes, acceptUnsupported: ['cubevalue'] }, never);
    expect(accepted.problems).toEqual([]);
    const unaffected = await buildWorkbook({ sheets: [{ name: 'S', cells }], names: { out_Y: 'S!$A$3' } });
    expect(
      (await shared.inspect({ fileName: 'a.xlsx', bytes: unaffected, acceptUnsupported: [] }, never)).problems,
    ).toEqual([]);
  });

  it('refuses outputs that depend on themselves, with the cells of the circle', async () => {
    const cells = {
      A1: { formula: 'A2+1', value: 0 },
      A2: { formula: 'B1', value: 0 },
      B1: { formula: 'A1', value: 0 },
      C1: { formula: 'SUM(A2,C2)', value: 0 },
      C2: 5,
      D1: { formula: 'D2', value: 0 },
      D2: { formula: 'D1', value: 0 },
    };
    const names = { out_Sum: 'S!$C$1', out_Other: 'S!$C$2' };
    const inspect = async (spec: WorkbookSpec) =>
      await shared.inspect({ fileName: 'a.xlsx', bytes: await buildWorkbook(spec), acceptUnsupported: [] }, never);
    const refused = await inspect({ sheets: [{ name: 'S', cells }], names });
    expect(refused.definition).toBeNull();
    expect(refused.problems).toEqual([
      {
        Sheet: 'S',
        Cell: 'A2',
        Message:
          "The output 'Sum' depends on formulas that depend on themselves: S!A2, S!B1, S!A1. It has no value, and every run would fail.",
        Remedy:
          'Change one of these formulas so that it no longer reads its own result, or switch on iterative calculation in Excel (File, Options, Formulas).',
      },
    ]);
    const iterates = await inspect({ sheets: [{ name: 'S', cells }], names, calculation: 'iterate="1"' });
    expect(iterates.problems).toEqual([]);
    const beside = await inspect({ sheets: [{ name: 'S', cells }], names: { out_Other: 'S!$C$2' } });
    expect(beside.problems).toEqual([]);
  });

  it.runIf(isFullSet)('of a hostile file ends in faults, never in an error', { timeout: 300_000 }, async () => {
    for (const { name, bytes, expectedCode } of hostileFiles()) {
      const { problems, definition } = await shared.inspect(
        { fileName: 'a.xlsx', bytes, acceptUnsupported: [] },
        never,
      );
      expect(definition, name).toBeNull();
      expect(problems.length, name).toBeGreaterThan(0);
      for (const { Message, Remedy } of problems)
        expect(`${Message} ${Remedy}`, name).not.toMatch(/node_modules|\n\s+at /);
      if (expectedCode) expect(problems, name).toMatchObject([{ Sheet: '', Cell: '' }]);
    }
  });

  it('waits for no run, however long that takes', async () => {
    const executor = executorWith({ threads: 1 });
    const stop = new AbortController();
    const running = executor.run({
      versionKey: 'kept waiting',
      definition: await definitionOf(DOUBLE, executor),
      fileName: 'a.xlsx',
      inputs: [],
      timeLimit: 60_000,
      signal: stop.signal,
      readWorkbook: () => new Promise(() => {}),
      onLog: () => {},
      onProgress: () => {},
    });
    expect(executor.pool.threads().map(({ isFree }) => isFree)).toEqual([false]);
    const bytes = await buildWorkbook(DOUBLE);
    expect((await executor.inspect({ fileName: 'a.xlsx', bytes, acceptUnsupported: [] }, never)).problems).toEqual([]);
    expect(executor.pool.threads().map(({ isFree }) => isFree)).toEqual([false]);
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
  });

  it('waits for one of the same person, and not for a slow one of another', async () => {
    const executor = executorWith({ threads: 1, inspectTimeLimit: 600_000 });
    const [slow, quick] = [await buildWorkbook(slowBook()), await buildWorkbook(DOUBLE)];
    const inspect = (owner: string, bytes: Uint8Array, signal = never) =>
      executor.inspect({ fileName: 'a.xlsx', bytes, acceptUnsupported: [], owner }, signal);
    const stop = new AbortController();
    const slowOfAnn = inspect('ann', slow, stop.signal);
    const ended: string[] = [];
    const next = inspect('ann', quick).then(() => ended.push('ann'));
    await inspect('bob', quick).then(() => ended.push('bob'));
    await inspect('cay', quick).then(() => ended.push('cay'));
    expect(ended).toEqual(['bob', 'cay']);
    stop.abort(new Error('stopped'));
    await expect(slowOfAnn).rejects.toThrow('stopped');
    await next;
  });

  it('says how many are inspected before it, to its owner alone', async () => {
    const executor = executorWith({ threads: 1, inspectTimeLimit: 600_000 });
    const [slow, quick] = [await buildWorkbook(slowBook()), await buildWorkbook(DOUBLE)];
    const stop = new AbortController();
    const inspect = (owner: string, uploadId: string, bytes: Uint8Array) =>
      executor.inspect({ fileName: 'a.xlsx', bytes, acceptUnsupported: [], owner, uploadId }, stop.signal);
    const all = Promise.allSettled([
      inspect('ann', 'first', slow),
      inspect('bob', 'first', slow),
      inspect('ann', 'second', quick),
      inspect('cay', 'first', quick),
    ]);
    const ahead = [
      ['ann', 'first'],
      ['bob', 'first'],
      ['cay', 'first'],
      ['ann', 'second'],
      ['cay', 'second'],
    ].map(([owner, uploadId]) => executor.uploadsAhead(owner!, uploadId!));
    expect(ahead).toEqual([0, 0, 1, 2, null]);
    stop.abort(new Error('stopped'));
    await all;
    expect(executor.uploadsAhead('ann', 'second')).toBeNull();
  });

  it('is bounded in time', async () => {
    const executor = executorWith({ threads: 1, inspectTimeLimit: 1500 });
    const bytes = await buildWorkbook(slowBook());
    const { definition, problems } = await executor.inspect(
      { fileName: 'a.xlsx', bytes, acceptUnsupported: [] },
      never,
    );
    expect(definition).toBeNull();
    expect(problems[0]!.Message).toMatch(/took longer than 1.5 seconds/);
  });
});
