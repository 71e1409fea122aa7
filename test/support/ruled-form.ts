/** Uploads, fills in and runs workbooks with data validations without a portal. */
import { expect } from 'vitest';
import type { InputRules, Inspection, RunLogLine } from '#server/executors/executor.ts';
import { createWorkbookExecutor, type WorkbookExecutor } from '#server/executors/workbook/workbook-executor.ts';
import { buildWorkbook } from './build-workbook.ts';
import type { SheetSpec, ValidationSpec, WorkbookSpec } from './build-workbook.ts';

let executor: WorkbookExecutor | undefined;
export const ruledExecutor = (): WorkbookExecutor =>
  (executor ??= createWorkbookExecutor({ threads: 1, formThreads: 1 }));
/** Call it in afterAll. */
export async function closeRuledExecutor(): Promise<void> {
  await executor?.close();
  executor = undefined;
}
const never = new AbortController().signal;

let versions = 0;

/** Expects a workbook without problems. */
export async function open(spec: WorkbookSpec) {
  const bytes = await buildWorkbook(spec);
  const inspection: Inspection = await ruledExecutor().inspect(
    { fileName: 'B.xlsx', bytes, acceptUnsupported: [] },
    never,
  );
  expect(inspection.problems).toEqual([]);
  const definition = inspection.definition!;
  const versionKey = `version ${(versions += 1)}`;
  const readWorkbook = () => Promise.resolve(Uint8Array.from(bytes));
  const valueOf = (values: Record<string, unknown>, name: string): string | null =>
    values[name] === undefined ? null : JSON.stringify(values[name]);
  return {
    definition,
    findings: inspection.fidelity!.Findings ?? [],
    info: (name: string) => definition.inputs.find(({ Name }) => Name === name)!.Info,
    async rules(values: Record<string, unknown>): Promise<Record<string, InputRules>> {
      const answer = await ruledExecutor().updateForm({
        versionKey,
        formKey: versionKey,
        definition,
        readWorkbook,
        inputs: definition.inputs.map(({ Name }) => ({ Name, value: valueOf(values, Name), fileNames: [] })),
        timeLimit: 20_000,
      });
      if ('refusal' in answer) throw new Error(answer.refusal);
      return Object.fromEntries(answer.rules.map((one) => [one.Name, one]));
    },
    async run(values: Record<string, unknown>) {
      const log: RunLogLine[] = [];
      const { status } = await ruledExecutor().run({
        versionKey,
        definition,
        fileName: 'B.xlsx',
        readWorkbook,
        inputs: definition.inputs.map(({ Name }) => ({ Name, value: valueOf(values, Name), files: [] })),
        timeLimit: 20_000,
        signal: never,
        onLog: (line) => log.push(line),
        onProgress: () => undefined,
      });
      return { status, messages: log.map(({ Message }) => Message) };
    },
  };
}

/** Returns row, column and message of each problem of an input. */
export const messagesOf = (rules: Record<string, InputRules>, name: string): unknown[] =>
  rules[name]?.issues.map(({ row, col, Message }) => [row, col, Message]) ?? [];

/** An input X in B2 with a rule, and an input Y in A2. */
export function single(validation: Partial<ValidationSpec>, cells: SheetSpec['cells'] = {}): WorkbookSpec {
  const own = { ref: 'B2', type: 'whole', ...validation };
  return {
    sheets: [{ name: 'S', cells: { A2: 5, B2: 1, C2: { formula: 'B2', value: 1 }, ...cells }, validations: [own] }],
    names: { in_X: 'S!$B$2', in_Y: 'S!$A$2', out_Z: 'S!$C$2' },
  };
}
