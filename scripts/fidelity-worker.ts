/** One file of `npm run fidelity`, in a thread of its own. */
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { CalculationEngine } from '#server/calculation/engine.ts';
import { compareWithSaved } from '#server/calculation/fidelity.ts';
import type { FidelityReport } from '#server/calculation/fidelity.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { findOffice } from '#server/executors/libreoffice/find-office.ts';
import { createLibreOfficeEngine } from '#server/executors/libreoffice/libreoffice-engine.ts';
import { installPeers } from './bench/install-peers.ts';
import { openPackage } from '#server/executors/workbook/package.ts';

export type FidelityAnswer = { report: FidelityReport } | { error: string };

const ENGINES: Record<string, () => CalculationEngine | Promise<CalculationEngine>> = {
  runsheet: createRunsheetEngine,
  ironcalc: async () => {
    installPeers();
    return (await import('./bench/ironcalc/load-ironcalc.ts')).loadIronCalcEngine();
  },
  libreoffice: () => createLibreOfficeEngine(office()),
};

function office(): string {
  const program = findOffice(process.env['RUNSHEET_LIBRE_OFFICE'] ?? '');
  if (program === null) throw new Error('LibreOffice is not installed here');
  return program;
}

async function answer({ file, engine }: { file: string; engine: string }): Promise<FidelityAnswer> {
  const create = ENGINES[engine];
  if (!create) return { error: `There is no engine ${engine}; there are ${Object.keys(ENGINES).join(', ')}` };
  try {
    const model = readWorkbook(await openPackage(await readFile(file)));
    return { report: compareWithSaved(model, await create()) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.postMessage(await answer(workerData as { file: string; engine: string }), []);
