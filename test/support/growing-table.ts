/** Runs workbooks whose tables get more rows than they have room for, in this thread and without a database. */
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { cellAt, savedValue } from '#server/calculation/reader/cell-index.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import type { ActivityDefinition } from '#server/executors/activity-definition.ts';
import type { Inspection, RunOutcome } from '#server/executors/executor.ts';
import { NO_CAPABILITIES, NO_SERVICES } from '#server/executors/step-services.ts';
import type { StepServices } from '#server/executors/step-services.ts';
import { createEngines, OURS } from '#server/executors/workbook/engines.ts';
import { inspectWorkbook } from '#server/executors/workbook/inspect.ts';
import { openPackage } from '#server/executors/workbook/package.ts';
import { createFormModels } from '#server/executors/workbook/run/form-models.ts';
import { runWorkbook } from '#server/executors/workbook/run/run-workbook.ts';
import { createWarmWorkbooks } from '#server/executors/workbook/run/warm-workbooks.ts';
import { fillFormula } from '#server/executors/workbook/grown-references.ts';
import { formatCell, parseCell } from '#shared/codecs/cell-address.ts';
import { buildWorkbook } from './build-workbook.ts';
import type { WorkbookSpec } from './build-workbook.ts';

const engines = createEngines(null);

export interface GrownBook {
  outcome: RunOutcome;
  /** By name. */
  outputs: Record<string, unknown>;
  log: string[];
  bytes: Uint8Array;
  model: WorkbookModel;
  /** Returns the text of a part of the returned workbook. */
  text(path: string): string;
}

export interface GrowingBook {
  inspection: Inspection;
  definition: ActivityDefinition;
  run(inputs: Record<string, unknown>, services?: StepServices): Promise<GrownBook>;
  /** Calculates the outputs while the form is being filled in. */
  update(inputs: Record<string, unknown>): Promise<Record<string, unknown>>;
}

export async function growingBook(spec: WorkbookSpec, capabilities = NO_CAPABILITIES): Promise<GrowingBook> {
  const bytes = await buildWorkbook(spec);
  const inspection = await inspectWorkbook(
    bytes,
    { fileName: 'Book.xlsx', acceptUnsupported: [], region: {}, capabilities },
    engines,
  );
  const definition = inspection.definition;
  if (!definition) throw new Error(`The workbook has faults: ${JSON.stringify(inspection.problems)}`);
  const warm = createWarmWorkbooks(() => engines.named(OURS), { count: 1, bytes: 2 ** 30 });
  const forms = createFormModels({ count: 1, bytes: 2 ** 30, age: 60_000 });
  return {
    inspection,
    definition,
    async update(inputs) {
      const answer = forms.update(await warm.get('version', definition, () => Promise.resolve(bytes)), {
        formKey: 'form',
        versionKey: 'version',
        definition,
        timeLimit: 60_000,
        inputs: Object.entries(inputs).map(([Name, value]) => ({ Name, value: JSON.stringify(value), fileNames: [] })),
      });
      if ('refusal' in answer) throw new Error(answer.refusal);
      return Object.fromEntries(answer.outputs.map(({ Name, Value }) => [Name, JSON.parse(Value ?? 'null')]));
    },
    async run(inputs, services = NO_SERVICES) {
      const log: string[] = [];
      const outcome = await runWorkbook(await warm.get('version', definition, async () => bytes), {
        definition,
        fileName: 'Book.xlsx',
        timeLimit: 60_000,
        services,
        inputs: Object.entries(inputs).map(([Name, value]) => ({ Name, value: JSON.stringify(value), files: [] })),
        onLog: ({ Message }) => log.push(Message),
        onProgress: () => undefined,
        onBroken: () => undefined,
      });
      const outputs = Object.fromEntries(outcome.outputs.map(({ Name, Value }) => [Name, JSON.parse(Value ?? 'null')]));
      const file = outcome.files[0]?.bytes ?? bytes;
      const opened = await openPackage(file);
      const model = readWorkbook(opened);
      return { outcome, outputs, log, bytes: file, model, text: (path) => new TextDecoder().decode(opened.part(path)) };
    },
  };
}

/**
 * Returns formulas and values of a sheet by address, without blank cells; formula texts as they read in their cells.
 */
export function contentOf(model: WorkbookModel, sheet: number): Record<string, string | CellValue> {
  const { cells } = model.sheets[sheet]!;
  const content: Record<string, string | CellValue> = {};
  for (let at = 0; at < cells.count; at++) {
    const row = cells.rows[at]!;
    const col = cells.cols[at]!;
    const record = cells.formulaTable[cells.formulas[at]!];
    const value = record
      ? `=${fillFormula(record.text, record.cell, { row, col }) ?? record.text}`
      : savedValue(cells, at, model.strings);
    if (value !== null) content[formatCell(row, col)] = value;
  }
  return content;
}

/** Returns the formula of a cell with '=', or its value. */
export const contentAt = (model: WorkbookModel, address: string, sheet = 0): string | CellValue =>
  contentOf(model, sheet)[address] ?? null;

/** Returns the saved value of a cell. */
export function savedAt(model: WorkbookModel, address: string, sheet = 0): CellValue {
  const { row, col } = parseCell(address)!;
  const { cells } = model.sheets[sheet]!;
  const at = cellAt(cells, row, col);
  return at < 0 ? null : savedValue(cells, at, model.strings);
}
