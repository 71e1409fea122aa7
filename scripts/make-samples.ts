/**
 * Builds the sample workbooks in samples/files. exceljs writes them, our own engine calculates them so that they
 * contain results, and they are packed identically on every machine. Run `npm run samples` after a change in
 * scripts/samples.
 */
import { Buffer } from 'node:buffer';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import ExcelJS from 'exceljs';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { ZipFile } from 'yazl';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { CalculationEngine } from '#server/calculation/engine.ts';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { openPackage } from '#server/executors/workbook/package.ts';
import { createCalculation } from '#server/executors/workbook/run/calculation.ts';
import { workbookEdits } from '#server/executors/workbook/run/workbook-edits.ts';
import { writeBack } from '#server/executors/workbook/write-back.ts';
import { fxExposure } from './samples/fx-exposure.ts';
import { bankCsv, invoiceCsv } from './samples/invoice-data.ts';
import { invoiceReconciliation } from './samples/invoice-reconciliation.ts';
import { loanOffers } from './samples/loan-offers.ts';
import { loanSchedule } from './samples/loan-schedule.ts';
import { monthEndReport } from './samples/month-end-report.ts';
import { quoteCalculator } from './samples/quote-calculator.ts';
import { salesCommission } from './samples/sales-commission.ts';
import { template } from './samples/template.ts';

const FILES = new URL('../samples/files/', import.meta.url);

/** A fixed time, so that the same sources give the same bytes. */
const CREATED = new Date(Date.UTC(2026, 0, 1, 12));
/** The same time on the clock of this machine, because zip archives store local times. */
const PACKED = new Date(2026, 0, 1, 12);

const WORKBOOKS: Record<string, (workbook: ExcelJS.Workbook) => void> = {
  'loan-schedule.xlsx': loanSchedule,
  'loan-offers.xlsx': loanOffers,
  'invoice-reconciliation.xlsx': invoiceReconciliation,
  'sales-commission.xlsx': salesCommission,
  'fx-exposure.xlsx': fxExposure,
  'month-end-report.xlsx': monthEndReport,
  'quote-calculator.xlsx': quoteCalculator,
  'template.xlsx': template,
};

const TEXTS: Record<string, () => Buffer> = {
  'invoices-2026-10.csv': invoiceCsv,
  'bank-2026-10.csv': bankCsv,
};

/** Returns all files by name. */
export async function makeSamples(engine: CalculationEngine): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const [name, build] of Object.entries(WORKBOOKS)) files.set(name, await makeWorkbook(engine, build));
  for (const [name, make] of Object.entries(TEXTS)) files.set(name, make());
  return files;
}

/** Returns the file of a workbook, with the results that Excel would have saved in it. */
export async function makeWorkbook(
  engine: CalculationEngine,
  build: (workbook: ExcelJS.Workbook) => void,
): Promise<Uint8Array> {
  const workbook = new ExcelJS.Workbook();
  Object.assign(workbook, { creator: 'Runsheet', lastModifiedBy: 'Runsheet', created: CREATED, modified: CREATED });
  build(workbook);
  const written = await declareCalculatedColumns(Buffer.from(await workbook.xlsx.writeBuffer()));
  const calculated = await calculate(engine, written);
  return repack(calculated, new Map());
}

/** Adds the results that Excel would have saved. */
async function calculate(engine: CalculationEngine, bytes: Uint8Array): Promise<Uint8Array> {
  const source = await openPackage(bytes);
  const model = readWorkbook(source);
  const missing = engine.unsupported(model);
  if (missing.length > 0)
    throw new Error(`Functions that the engine does not support: ${missing.map(({ name }) => name).join(', ')}`);
  const base = engine.load(model);
  const version = { source, model, base, missing: () => missing, insertions: [] };
  const calculation = createCalculation(version, 60_000);
  try {
    return await writeBack(source, model, workbookEdits(calculation));
  } finally {
    calculation.dispose();
  }
}

/**
 * exceljs writes the formulas into a table's cells, but does not declare calculated columns. Excel fills new rows only
 * if they are declared.
 */
async function declareCalculatedColumns(bytes: Uint8Array): Promise<Uint8Array> {
  const source = await openPackage(bytes);
  const model = readWorkbook(source);
  const changed = new Map<string, Uint8Array>();
  for (const { part, sheet, block } of model.tables) {
    const { cells } = model.sheets[sheet]!;
    let index = -1;
    const xml = Buffer.from(source.part(part)!).toString();
    const rewritten = xml.replace(/<tableColumn ([^>]*?)\/?>(?:<\/tableColumn>)?/g, (whole, attributes: string) => {
      index += 1;
      const at = cells.formulas.findIndex(
        (formula, cell) =>
          formula >= 0 && cells.rows[cell] === block.top + 1 && cells.cols[cell] === block.left + index,
      );
      if (at < 0) return whole;
      const { text } = cells.formulaTable[cells.formulas[at]!]!;
      const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      return `<tableColumn ${attributes}><calculatedColumnFormula>${escaped}</calculatedColumnFormula></tableColumn>`;
    });
    changed.set(part, Buffer.from(rewritten));
  }
  return repack(bytes, changed);
}

/** Packs the same parts in the same order, with a fixed time. */
async function repack(bytes: Uint8Array, changed: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
  const source = await openPackage(bytes);
  const zip = new ZipFile();
  for (const { path } of source.entries) {
    if (path.endsWith('/')) continue;
    zip.addBuffer(Buffer.from(changed.get(path) ?? source.part(path)!), path, {
      mtime: PACKED,
      mode: 0o100644,
      forceDosTimestamp: true,
    });
  }
  zip.end();
  return new Uint8Array(await buffer(zip.outputStream));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await mkdir(FILES, { recursive: true });
  for (const [name, bytes] of await makeSamples(createRunsheetEngine())) {
    const target = new URL(name, FILES);
    const before = await readFile(target).catch(() => null);
    const isSame = before !== null && Buffer.compare(before, bytes) === 0;
    if (!isSame) await writeFile(target, bytes);
    console.log(`${isSame ? 'unchanged' : 'written  '}  samples/files/${name}`);
  }
}
