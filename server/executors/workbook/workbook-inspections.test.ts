import { describe, expect, it } from 'vitest';
import { hostileFiles } from '#test/hostile/hostile-files.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { isFullSet } from '#test/support/test-set.ts';
import { never, slowBook, workbookExecutors } from '#test/support/workbook-executors.ts';

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
    expect(refused.faults).toMatchObject([
      { Sheet: 'S', Cell: 'A1', Message: expect.stringContaining('CUBEVALUE') as string },
    ]);
    expect(refused.fidelity!.Unsupported).toEqual([{ Name: 'CUBEVALUE', Sheet: 'S', Cell: 'A1', FeedsOutput: true }]);
    const accepted = await shared.inspect({ fileName: 'a.xlsx', bytes, acceptUnsupported: ['cubevalue'] }, never);
    expect(accepted.faults).toEqual([]);
    const aside = await buildWorkbook({ sheets: [{ name: 'S', cells }], names: { out_Y: 'S!$A$3' } });
    expect((await shared.inspect({ fileName: 'a.xlsx', bytes: aside, acceptUnsupported: [] }, never)).faults).toEqual(
      [],
    );
  });

  it.runIf(isFullSet)('of a hostile file ends in faults, never in an error', { timeout: 300_000 }, async () => {
    for (const { name, bytes, expectedCode } of hostileFiles()) {
      const { faults, definition } = await shared.inspect({ fileName: 'a.xlsx', bytes, acceptUnsupported: [] }, never);
      expect(definition, name).toBeNull();
      expect(faults.length, name).toBeGreaterThan(0);
      for (const { Message, Remedy } of faults)
        expect(`${Message} ${Remedy}`, name).not.toMatch(/node_modules|\n\s+at /);
      if (expectedCode) expect(faults, name).toMatchObject([{ Sheet: '', Cell: '' }]);
    }
  });

  it('is bounded in time', async () => {
    const executor = executorWith({ threads: 1, inspectTimeLimit: 1500 });
    const bytes = await buildWorkbook(slowBook());
    const { definition, faults } = await executor.inspect({ fileName: 'a.xlsx', bytes, acceptUnsupported: [] }, never);
    expect(definition).toBeNull();
    expect(faults[0]!.Message).toMatch(/took longer than 1.5 seconds/);
  });
});
