/** Publishes and runs workbooks with the real executor; each test file has its own executor. */
import { Buffer } from 'node:buffer';
import { afterAll, expect } from 'vitest';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { InputValue, RunLogLine, RunOutcome } from '#server/executors/executor.ts';
import { createCellView } from '#server/executors/workbook/definitions/cell-view.ts';
import { openPackage } from '#server/executors/workbook/package.ts';
import {
  createWorkbookExecutor,
  type WorkbookExecutor,
  type WorkbookExecutorOptions,
} from '#server/executors/workbook/workbook-executor.ts';
import { buildWorkbook, type CellSpec, type WorkbookSpec } from './build-workbook.ts';

export const never = new AbortController().signal;

export const file = (FileName: string, content: string | Uint8Array): InputValue['files'][number] => ({
  FileName,
  read: () => Promise.resolve(Uint8Array.from(Buffer.from(content as string))),
});
export const value = (Name: string, given: unknown): InputValue => ({ Name, value: JSON.stringify(given), files: [] });

export interface WorkbookActivity {
  run(
    inputs: InputValue[],
    more?: { timeLimit?: number; signal?: AbortSignal; onBegin?: () => void; onProgress?: (phase: string) => void },
  ): Promise<RunOutcome>;
  /** Log of the last run. */
  log: RunLogLine[];
  /** Number of times the file was read. */
  reads: number;
  bytes: Buffer;
}

export interface WorkbookExecutors {
  shared: WorkbookExecutor;
  /** Creates another executor with these options. */
  executorWith: (options: WorkbookExecutorOptions) => WorkbookExecutor;
  /** Uses the shared executor by default. */
  activity: (spec: WorkbookSpec | Buffer, executor?: WorkbookExecutor) => Promise<WorkbookActivity>;
}

let versions = 0;
export const nextVersion = (): number => ++versions;

/** Call it once at the top of a test file; its executors are closed after all tests. */
export function workbookExecutors(): WorkbookExecutors {
  const executors: WorkbookExecutor[] = [];
  const executorWith = (options: WorkbookExecutorOptions): WorkbookExecutor => {
    const executor = createWorkbookExecutor(options);
    executors.push(executor);
    return executor;
  };
  const shared = executorWith({ threads: 2 });
  afterAll(() => Promise.all(executors.map((executor) => executor.close())));
  return { shared, executorWith, activity: (spec, executor = shared) => makeActivity(spec, executor) };
}

async function makeActivity(spec: WorkbookSpec | Buffer, executor: WorkbookExecutor): Promise<WorkbookActivity> {
  const bytes = Buffer.isBuffer(spec) ? spec : await buildWorkbook(spec);
  const { definition, problems } = await executor.inspect(
    { fileName: 'Book.xlsx', bytes, acceptUnsupported: [] },
    never,
  );
  expect(problems).toEqual([]);
  const versionKey = `version ${nextVersion()}`;
  const made: WorkbookActivity = {
    log: [],
    reads: 0,
    bytes,
    run(inputs, { timeLimit = 60_000, signal = never, onBegin = () => undefined, onProgress = () => undefined } = {}) {
      made.log.length = 0;
      return executor.run({
        versionKey,
        definition: definition!,
        fileName: 'Book.xlsx',
        readWorkbook: () => {
          made.reads += 1;
          return Promise.resolve(Uint8Array.from(bytes));
        },
        inputs,
        timeLimit,
        signal,
        onBegin,
        onLog: (line) => made.log.push(line),
        onProgress,
      });
    },
  };
  return made;
}

export async function definitionOf(spec: WorkbookSpec, executor: WorkbookExecutor): Promise<ActivityDefinition> {
  const bytes = await buildWorkbook(spec);
  const { definition } = await executor.inspect({ fileName: 'a.xlsx', bytes, acceptUnsupported: [] }, never);
  return definition!;
}

export const valueOf = (outcome: RunOutcome, name: string): unknown =>
  JSON.parse(outcome.outputs.find(({ Name }) => Name === name)!.Value!);

/** Returns cells of the calculated workbook. */
export async function cellsOf(outcome: RunOutcome, sheet: number, addresses: [number, number][]): Promise<unknown[]> {
  const model = readWorkbook(await openPackage(outcome.files[0]!.bytes));
  const view = createCellView(model);
  return addresses.map(([row, col]) => {
    const { value } = view.cell(sheet, row, col);
    return value instanceof CellError ? value.code : value;
  });
}

export const DOUBLE: WorkbookSpec = {
  sheets: [{ name: 'S', cells: { A1: 21, A2: { formula: 'A1*2', value: 42 } } }],
  names: { in_X: 'S!$A$1', out_Y: 'S!$A$2' },
};

export const TABLE: WorkbookSpec = {
  sheets: [
    {
      name: 'S',
      cells: {
        A1: 'Item',
        B1: 'Amount',
        C1: 'Tax',
        A2: 'a',
        B2: 100,
        C2: { formula: 'T[[#This Row],[Amount]]*0.2', value: 20 },
        A3: 'b',
        B3: 50,
        C3: { formula: 'T[[#This Row],[Amount]]*0.2', value: 10 },
        A4: 'Total',
        C4: { formula: 'SUBTOTAL(109,T[Tax])', value: 30 },
        F1: { formula: 'SUM(T[Tax])', value: 30 },
        F2: { formula: 'SUM(B2:B3)', value: 150 },
        F3: { formula: 'COUNTA(T[Item])', value: 2 },
      },
      tables: [
        {
          name: 'T',
          ref: 'A1:C4',
          columns: [
            'Item',
            'Amount',
            { name: 'Tax', formula: 'T[[#This Row],[Amount]]*0.2', totalsFormula: 'SUBTOTAL(109,T[Tax])' },
          ],
          totals: true,
        },
      ],
    },
  ],
  names: {
    in_Lines: 'T[]',
    out_Tax: 'S!$F$1',
    out_Amounts: 'S!$F$2',
    out_Count: 'S!$F$3',
    out_Total: 'S!$C$4',
    out_Lines: 'T[]',
  },
};

/** Takes minutes to calculate: each of many cells adds up sixty thousand different sines. */
export function slowBook(): WorkbookSpec {
  const cells: Record<string, CellSpec> = { A1: 1 };
  for (let row = 1; row <= 6000; row++)
    cells[`B${row}`] = { formula: 'SUMPRODUCT(SIN(ROW($1:$60000)*ROW()+$A$1))', value: null };
  return { sheets: [{ name: 'S', cells }], names: { in_X: 'S!$A$1', out_Y: 'S!$B$6000' } };
}
