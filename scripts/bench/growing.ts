/**
 * Compares a run of an invoice with 10,000 lines whose file has two lines, so that all cells below them move, with the
 * same run of a file that already has the lines. Both run in this thread with warm workbooks. The growing run never
 * finds its layout in the cache.
 */
import { buildWorkbook } from '#test/support/build-workbook.ts';
import type { CellSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { NO_CAPABILITIES, NO_SERVICES } from '#server/executors/step-services.ts';
import { createEngines, OURS } from '#server/executors/workbook/engines.ts';
import { inspectWorkbook } from '#server/executors/workbook/inspect.ts';
import { runWorkbook } from '#server/executors/workbook/run/run-workbook.ts';
import { createWarmWorkbooks } from '#server/executors/workbook/run/warm-workbooks.ts';
import { compare, print, printMachine } from './measure.ts';

const TARGET = 3;
const LINES = 10_000;

/** Builds an invoice with this many lines, and below them the sum, tax and total. */
function invoice(lines: number): WorkbookSpec {
  const cells: Record<string, CellSpec> = { F1: 0.2, A4: 'Item', B4: 'Qty', C4: 'Price', D4: 'Amount' };
  for (let row = 5; row < 5 + lines; row++) {
    Object.assign(cells, { [`A${row}`]: 'x', [`B${row}`]: 1, [`C${row}`]: 2 });
    cells[`D${row}`] = { formula: `B${row}*C${row}`, value: 2 };
  }
  const last = 4 + lines;
  cells[`D${last + 1}`] = { formula: `SUM(D5:D${last})`, value: 2 * lines };
  cells[`D${last + 2}`] = { formula: `D${last + 1}*F1`, value: 0.4 * lines };
  cells[`D${last + 3}`] = { formula: `D${last + 1}+D${last + 2}`, value: 2.4 * lines };
  const amount = { name: 'Amount', formula: 'Lines[[#This Row],[Qty]]*Lines[[#This Row],[Price]]' };
  return {
    sheets: [
      { name: 'S', cells, tables: [{ name: 'Lines', ref: `A4:D${last}`, columns: ['Item', 'Qty', 'Price', amount] }] },
    ],
    names: { in_Lines: 'Lines', out_Total: `S!$D$${last + 3}` },
  };
}

/** Returns a function that runs the workbook with the given number of lines. */
async function runOf(spec: WorkbookSpec): Promise<(lines: number) => Promise<void>> {
  const engines = createEngines(null);
  const bytes = await buildWorkbook(spec);
  const { definition, problems } = await inspectWorkbook(
    bytes,
    { fileName: 'Invoice.xlsx', acceptUnsupported: [], region: {}, capabilities: NO_CAPABILITIES },
    engines,
  );
  if (!definition) throw new Error(`the workbook has problems: ${JSON.stringify(problems)}`);
  const warm = createWarmWorkbooks(() => engines.named(OURS), { count: 1, bytes: 2 ** 30 });
  return async (lines) => {
    const rows = Array.from({ length: lines }, (_, at) => [`item ${at}`, at, 2, null]);
    const { status, outputs } = await runWorkbook(await warm.get('version', definition, async () => bytes), {
      definition,
      fileName: 'Invoice.xlsx',
      timeLimit: 60_000,
      services: NO_SERVICES,
      inputs: [{ Name: 'Lines', value: JSON.stringify(rows), files: [] }],
      onLog: () => undefined,
      onProgress: () => undefined,
      onBroken: () => undefined,
    });
    const total = Number(outputs[0]?.Value);
    if (status !== 'Succeeded' || Math.abs(total - 1.2 * lines * (lines - 1)) > 1)
      throw new Error(`the run ended with status ${status} and total ${total}`);
  };
}

export async function benchGrowing(): Promise<void> {
  printMachine();
  const growing = await runOf(invoice(2));
  const there = await runOf(invoice(LINES));
  let round = 0;
  const ours = (): Promise<void> => growing(LINES - (round++ % 5));
  const peer = (): Promise<void> => there(LINES);
  print(
    await compare('A run of an invoice that grows to 10,000 lines, compared with one that already has them', {
      ours,
      peer,
      target: TARGET,
      rounds: 15,
    }),
  );
}
