/** An input that receives the number of the run: nobody enters it, and formulas can use it. */
import { afterAll, describe, expect, it } from 'vitest';
import type { Inspection } from '#server/executors/executor.ts';
import type { ActivityVersion } from '#server/versions/version-catalog.ts';
import { inputValues } from '#server/queue/worker/run-inputs.ts';
import { buildWorkbook, type WorkbookSpec } from '#test/support/build-workbook.ts';
import { input } from '#test/support/portal.ts';
import { createWorkbookExecutor } from '../workbook-executor.ts';

const executor = createWorkbookExecutor({ threads: 1 });
afterAll(() => executor.close());
const never = new AbortController().signal;

const book = (specification: string, at = 'S!$A$1'): WorkbookSpec => ({
  sheets: [
    { name: 'S', cells: { B1: { formula: 'A1*2', value: 0 } } },
    {
      name: 'Portal',
      cells: { A1: 'Name', B1: 'CellUsages', C1: 'Specification', A2: 'Run', B2: 'ActivityRunId', C2: specification },
      tables: [{ name: 'PortalInputs', ref: 'A1:C2', columns: ['Name', 'CellUsages', 'Specification'] }],
    },
  ],
  names: { in_Run: at, out_Double: 'S!$B$1' },
});

async function inspect(spec: WorkbookSpec): Promise<Inspection & { bytes: Uint8Array }> {
  const bytes = await buildWorkbook(spec);
  return {
    ...(await executor.inspect({ fileName: 'Book.xlsx', bytes, acceptUnsupported: [] }, never)),
    bytes,
  };
}

describe('an input of the usage ActivityRunId', () => {
  it('is hidden, and gives its number to the formulas', async () => {
    const { definition, problems, bytes } = await inspect(book(''));
    expect(problems).toEqual([]);
    expect(definition!.inputs[0]!.Info).toMatchObject({ CellUsages: ['ActivityRunId'], Specifications: ['Hidden'] });
    const { outputs } = await executor.run({
      versionKey: 'run number',
      definition: definition!,
      fileName: 'Book.xlsx',
      readWorkbook: () => Promise.resolve(Uint8Array.from(bytes)),
      inputs: [{ Name: 'Run', value: '21', files: [] }],
      timeLimit: 60_000,
      signal: never,
      onLog: () => undefined,
      onProgress: () => undefined,
    });
    expect(outputs[0]!.Value).toBe('42');
  });

  it('is given the number of the run, whatever was sent', () => {
    const inputs = [
      { Id: 1, ...input('Run', { CellUsages: ['ActivityRunId'], Specifications: ['Hidden'] }) },
      { Id: 2, ...input('Amount') },
    ];
    const entry = { ArrayIndex: 0, FileName: null, StoreKey: null };
    const stored = [
      { ActivityParameterId: 1, Value: '1', ...entry },
      { ActivityParameterId: 2, Value: '5', ...entry },
    ];
    const files = { read: () => Promise.reject(new Error('there are no files')) };
    const values = inputValues({ inputs } as ActivityVersion, stored, files, 77);
    expect(values.map(({ Name, value }) => [Name, value])).toEqual([
      ['Run', '77'],
      ['Amount', '5'],
    ]);
  });

  it.each([
    [book('Required'), 'The number of a run cannot be entered.'],
    [book('', 'S!$A$1:$A$2'), 'is not a single cell'],
  ])('that cannot be one is refused', async (spec, problem) => {
    const { problems } = await inspect(spec);
    expect(JSON.stringify(problems)).toContain(problem);
  });
});
