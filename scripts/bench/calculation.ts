/**
 * Compares the speed of calculation engines. Each engine runs in a separate process after a warm-up, one engine after
 * the other: npm run bench calculation, or node scripts/bench/calculation.ts [--rows 5,4000,20000,100000] [--table 100]
 * [--engines a,b] [--limit SECONDS] [--json].
 */
import { writeSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Measured } from './calculation/contestant.ts';
import { CONTESTANTS } from './calculation/contestants.ts';
import { inProcess } from './calculation/in-process.ts';
import type { Loading } from './calculation/loading.ts';
import { verdicts } from './calculation/targets.ts';
import type { Results } from './calculation/targets.ts';

interface Options {
  rows: readonly number[];
  /** Number of rows of the lookup table. */
  table: number;
  engines: readonly string[];
  /** Maximum time an engine may take for one size, in milliseconds. */
  limit: number;
}

/** Five rows of ten formulas correspond to the 50 formulas of a small workbook (plus 204 sums). */
const DEFAULTS: Options = {
  rows: [5, 4000, 20_000, 100_000],
  table: 100,
  engines: Object.keys(CONTESTANTS),
  limit: 180_000,
};

/** An engine that needs longer than this for one calculation, in milliseconds, is not measured at larger sizes. */
const SLOW = 10_000;

const argumentsOf = (engine: string, rows: number, { table }: Options): string[] => [
  '--engine',
  engine,
  '--rows',
  String(rows),
  '--table',
  String(table),
];

async function contest(
  options: Options,
  say: (text: string) => void,
): Promise<{ results: Results; loading: Loading | null }> {
  const results: Results = new Map();
  const slow = new Map<string, string>();
  for (const rows of options.rows) {
    const own = new Map<string, Measured | string>();
    results.set(rows, own);
    for (const engine of options.engines) {
      const missing = CONTESTANTS[engine]!.missing?.() ?? null;
      const before = slow.get(engine);
      const found = missing ?? before ?? (await inProcess<Measured>(argumentsOf(engine, rows, options), options.limit));
      if (missing === null && (typeof found === 'string' || found.full > SLOW)) {
        slow.set(engine, before ?? `not tried: it was slow at ${rows} rows already`);
      }
      own.set(engine, found);
      say(line(rows, engine, found));
    }
  }
  const largest = Math.max(...options.rows);
  const loading = await inProcess<Loading>(argumentsOf('loading', largest, options), options.limit);
  if (typeof loading === 'string') say(`loading ${loading}`);
  else
    say(`${largest} rows, from the file: ours ${loading.ours.toFixed(0)} ms, exceljs ${loading.exceljs.toFixed(0)} ms`);
  return { results, loading: typeof loading === 'string' ? null : loading };
}

function line(rows: number, engine: string, found: Measured | string): string {
  const head = `${String(rows).padStart(6)} rows  ${engine.padEnd(12)}`;
  if (typeof found === 'string') return `${head} ${found}`;
  const ms = (value: number): string => `${value.toFixed(1)} ms`.padStart(11);
  const parts = [`load${ms(found.load)}`, `full${ms(found.full)}`, `inputs${ms(found.inputs)}`];
  if (found.copy !== null) parts.push(`copy${ms(found.copy)}`);
  if (found.bytes !== null) parts.push(`${found.bytes.toFixed(0)} bytes a cell`);
  return `${head} ${parts.join('  ')}`;
}

export async function benchCalculation(options: Options = DEFAULTS, asJson = false): Promise<void> {
  const say = asJson ? (): void => undefined : (text: string): void => console.log(text);
  say(`A lookup table of ${options.table} rows; load average ${loadavg()[0]!.toFixed(1)}`);
  const { results, loading } = await contest(options, say);
  const found = verdicts(results, loading);
  say(`\nLoad average ${loadavg()[0]!.toFixed(1)}`);
  for (const { what, holds, found: value } of found) {
    say(`${holds === null ? '  –   ' : holds ? 'holds ' : 'MISSED'} ${what}: ${value}`);
  }
  if (!asJson) return;
  const sizes = [...results].map(([rows, engines]) => ({ rows, engines: Object.fromEntries(engines) }));
  writeSync(1, `${JSON.stringify({ sizes, loading, verdicts: found })}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string' },
      table: { type: 'string' },
      engines: { type: 'string' },
      limit: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const engines = values.engines?.split(',') ?? DEFAULTS.engines;
  const unknown = engines.find((name) => !(name in CONTESTANTS));
  if (unknown !== undefined)
    throw new Error(`There is no engine ${unknown}; choose from ${DEFAULTS.engines.join(', ')}`);
  await benchCalculation(
    {
      rows: values.rows?.split(',').map(Number) ?? DEFAULTS.rows,
      table: Number(values.table ?? DEFAULTS.table),
      engines,
      limit: values.limit === undefined ? DEFAULTS.limit : Number(values.limit) * 1000,
    },
    values.json,
  );
}
