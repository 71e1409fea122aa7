/** Compares the workbooks whose paths it receives, one after the other, in a long-lived process. */
import { readFile } from 'node:fs/promises';
import type { CalculationEngine } from '#server/calculation/engine.ts';
import { compareWithSaved } from '#server/calculation/fidelity.ts';
import type { FidelityReport } from '#server/calculation/fidelity-report.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { findOffice } from '#server/executors/libreoffice/find-office.ts';
import { createLibreOfficeEngine } from '#server/executors/libreoffice/libreoffice-engine.ts';
import { openPackage } from '#server/executors/workbook/package.ts';

export type FileOutcome = { report: FidelityReport } | { error: string };

export interface WorkerAnswer {
  outcome: FileOutcome;
  /** Memory of the process after the file, in megabytes. */
  megabytes: number;
}

const ENGINES: Record<string, () => CalculationEngine | Promise<CalculationEngine>> = {
  runsheet: createRunsheetEngine,
  ironcalc: async () => (await import('../bench/ironcalc/load-ironcalc.ts')).loadIronCalcEngine(),
  libreoffice: () => createLibreOfficeEngine(office()),
};

function office(): string {
  const program = findOffice(process.env['RUNSHEET_LIBRE_OFFICE'] ?? '');
  if (program === null) throw new Error('LibreOffice is not installed');
  return program;
}

const name = process.argv[2] ?? '';
let engine: CalculationEngine | undefined;

async function loadEngine(): Promise<CalculationEngine> {
  const create = ENGINES[name];
  if (!create) throw new Error(`There is no engine ${name}; choose one of ${Object.keys(ENGINES).join(', ')}`);
  return create();
}

async function compare(file: string): Promise<FileOutcome> {
  try {
    engine ??= await loadEngine();
    const model = readWorkbook(await openPackage(await readFile(file)));
    return { report: compareWithSaved(model, engine) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

async function answer(file: string): Promise<void> {
  const outcome = await compare(file);
  const message: WorkerAnswer = { outcome, megabytes: process.memoryUsage.rss() / 2 ** 20 };
  process.send!(message);
}

process.on('message', (file: string) => void answer(file));
process.on('disconnect', () => process.exit());
