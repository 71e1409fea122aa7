/**
 * How fast calculation engines are, side by side in one run:
 * node --expose-gc scripts/bench/calculation.ts [--rows 4000,20000] [--table 100] [--engines runsheet,ironcalc,hyperformula] [--json]
 */
import { writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { CalculationEngine, CalculationModel } from '#server/calculation/engine.ts';
import { createRunsheetEngine } from '#server/calculation/runsheet-engine.ts';
import { loadIronCalcEngine } from '#server/executors/workbook/ironcalc-engine.ts';
import { benchmarkSheet, toModel } from './benchmark-sheet.ts';
import type { BenchmarkSheet } from './benchmark-sheet.ts';

/** Milliseconds, and bytes a cell. */
interface Times {
  load: number;
  full: number;
  inputs: number;
  copy: number;
  bytes: number;
  /** A number that must be the same for all engines. */
  check: number;
}

type Contestant = (sheet: BenchmarkSheet) => Promise<Times>;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '4000,20000' },
    table: { type: 'string', default: '100' },
    engines: { type: 'string', default: 'runsheet,ironcalc,hyperformula' },
    json: { type: 'boolean', default: false },
  },
});

const now = (): number => performance.now();

function heap(): number {
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

function timed(work: () => void): number {
  const start = now();
  work();
  return now() - start;
}

function cellCount({ sheets }: BenchmarkSheet): number {
  return sheets.reduce((sum, { rows }) => sum + rows.reduce((cells, row) => cells + row.length, 0), 0);
}

/** Engines behind our interface. */
function ours(create: () => CalculationEngine): Contestant {
  return async (sheet) => {
    const engine = create();
    // what has been read of the file belongs to the model
    const before = heap();
    const model = toModel(sheet);
    let base!: CalculationModel;
    const load = timed(() => (base = engine.load(model)));
    const full = timed(() => base.recalculate());
    const bytes = (heap() - before) / cellCount(sheet);
    let copied!: CalculationModel;
    const copy = timed(() => (copied = base.copy()));
    const edits = sheet.inputs.map(({ row, col }, index) => ({ sheet: 0, row, col, value: 50 + index }));
    const inputs = timed(() => {
      copied.setCells(edits);
      copied.recalculate();
    });
    return { load, full, inputs, copy, bytes, check: sumOf(copied, sheet) };
  };
}

/** All amounts and sums by region. */
function sumOf(model: CalculationModel, { sheets }: BenchmarkSheet): number {
  const amounts = model.values(0, { top: 1, left: 15, bottom: sheets[0]!.rows.length - 1, right: 15 }).flat();
  const sums = sheets[2] ? model.values(2, { top: 0, left: 0, bottom: 16, right: 11 }).flat() : [];
  return [...amounts, ...sums].reduce<number>((sum, value) => sum + (typeof value === 'number' ? value : NaN), 0);
}

const hyperformula: Contestant = async (sheet) => {
  const { HyperFormula } = await import('hyperformula');
  const contents = Object.fromEntries(
    sheet.sheets.map(({ name, rows }) => [
      name,
      rows.map((row) => row.map((cell) => (typeof cell === 'object' && cell ? `=${cell.formula}` : cell))),
    ]),
  );
  const before = heap();
  let book!: ReturnType<typeof HyperFormula.buildFromSheets>;
  // it calculates while it loads
  const options = { licenseKey: 'gpl-v3', maxRows: 200_000, dateFormats: [] };
  const load = timed(() => (book = HyperFormula.buildFromSheets(contents, options)));
  const full = timed(() => book.rebuildAndRecalculate());
  const bytes = (heap() - before) / cellCount(sheet);
  const inputs = timed(() =>
    book.batch(() => {
      sheet.inputs.forEach(({ row, col }, index) => book.setCellContents({ sheet: 0, row, col }, 50 + index));
    }),
  );
  const all = [
    ...book
      .getSheetValues(0)
      .slice(1)
      .map((row) => row[15]),
    ...(sheet.sheets[2] ? book.getSheetValues(2).flat() : []),
  ];
  const check = all.reduce<number>((sum, value) => sum + (typeof value === 'number' ? value : NaN), 0);
  book.destroy();
  return { load: load - full, full, inputs, copy: NaN, bytes, check };
};

const ENGINES: Record<string, Contestant> = {
  runsheet: ours(createRunsheetEngine),
  ironcalc: ours(loadIronCalcEngine),
  hyperformula,
};

const results: Record<string, unknown>[] = [];
for (const rows of values.rows.split(',').map(Number)) {
  const sheet = benchmarkSheet(rows, Number(values.table));
  let first: Times | null = null;
  for (const name of values.engines.split(',')) {
    const engine = ENGINES[name];
    if (!engine) throw new Error(`There is no engine ${name}; there are ${Object.keys(ENGINES).join(', ')}`);
    const times = await engine(sheet);
    first ??= times;
    results.push({ rows, engine: name, ...times });
    if (!values.json) console.log(line(rows, name, times, first));
  }
}
if (values.json) writeSync(1, `${JSON.stringify(results)}\n`);

/** Times, and how many times as long as the first engine's they are. */
function line(rows: number, name: string, times: Times, first: Times): string {
  const part = (key: 'load' | 'full' | 'inputs' | 'copy'): string =>
    `${key} ${times[key].toFixed(1)} ms (${(times[key] / first[key]).toFixed(1)}×)`;
  const parts = [part('load'), part('full'), part('inputs'), part('copy'), `${times.bytes.toFixed(0)} bytes a cell`];
  return `${rows} rows, ${name.padEnd(12)} ${parts.join(', ')}, check ${times.check.toFixed(4)}`;
}
