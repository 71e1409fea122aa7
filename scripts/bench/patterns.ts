/**
 * Measures how engines handle formulas that business sheets fill down (see calculation/patterns.ts): npm run bench
 * patterns, or node scripts/bench/patterns.ts [--rows 500,4000,20000] [--engines a,b] [--only 'running total;rank']
 * [--limit SECONDS] [--budget SECONDS]. A complete run takes about seven minutes.
 */
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { eachCase } from './calculation/cases.ts';
import type { Measured } from './calculation/contestant.ts';
import { CONTESTANTS } from './calculation/contestants.ts';
import { printSummary, printTables } from './calculation/pattern-report.ts';
import { PATTERNS } from './calculation/patterns.ts';

interface Options {
  /** In ascending order. */
  rows: readonly number[];
  engines: readonly string[];
  patterns: readonly string[];
  /** Maximum milliseconds an engine may take for one pattern and size, including loading. */
  limit: number;
  /**
   * Maximum milliseconds a peer may take for all patterns of one size. The smallest size, at which a peer should try
   * all patterns, gets three times as many.
   */
  budget: number;
}

const DEFAULTS: Options = {
  rows: [500, 4000, 20_000],
  engines: ['runsheet', 'libreoffice', 'hyperformula', 'ironcalc', 'univer'],
  patterns: Object.keys(PATTERNS),
  limit: 1500,
  budget: 15_000,
};

const OURS = 'runsheet';
/** Wider limits for our own engine, so that it is measured for all patterns and sizes. */
const OWN_LIMITS = { limit: 120_000, until: Infinity };

type Found = Map<string, Measured | string>;

/**
 * Prints a table per size with the milliseconds of the full calculation and of ten changed inputs, then the results
 * that are worse than they should be.
 */
export async function benchPatterns(options: Options = DEFAULTS): Promise<void> {
  const { rows: sizes, engines, patterns } = options;
  const start = performance.now();
  console.log(`${patterns.length} patterns; load average ${loadavg()[0]!.toFixed(1)}`);
  const results = new Map(
    sizes.map((rows) => [rows, new Map<string, Found>(engines.map((name) => [name, new Map()]))]),
  );
  for (const engine of engines) {
    const own = sizes.map((rows) => [rows, results.get(rows)!.get(engine)!] as const);
    await measureEngine(engine, own, options);
    console.log(`${engine} finished after ${((performance.now() - start) / 1000).toFixed(0)} s`);
  }
  printTables(results, patterns);
  printSummary(results, patterns);
  console.log(`\nLoad average ${loadavg()[0]!.toFixed(1)}`);
}

async function measureEngine(
  engine: string,
  sizes: readonly (readonly [number, Found])[],
  { patterns, limit, budget }: Options,
): Promise<void> {
  const missing = CONTESTANTS[engine]!.missing?.() ?? null;
  for (const [at, [rows, own]] of sizes.entries()) {
    const before = sizes[at - 1];
    // The worst expected growth is quadratic in the rows.
    const expected = (pattern: string): number =>
      before ? timeOf(before[1].get(pattern)) * (rows / before[0]) ** 2 : 0;
    const isTried = (pattern: string): boolean =>
      missing === null && (engine === OURS || expected(pattern) < limit * 2);
    for (const pattern of patterns) if (!isTried(pattern)) own.set(pattern, missing ?? '–');
    const tried = patterns.filter(isTried);
    // The patterns in which a peer is closest to ours matter most.
    if (engine !== OURS) tried.sort((a, b) => expected(a) - expected(b));
    const until = performance.now() + (at === 0 ? budget * 3 : budget);
    const cases = tried.map((pattern) => ({ pattern, rows }));
    await eachCase(engine, cases, engine === OURS ? OWN_LIMITS : { limit, until }, ({ pattern }, found) =>
      own.set(pattern, found),
    );
  }
}

const timeOf = (own: Measured | string | undefined): number =>
  typeof own === 'object' ? own.full + own.inputs : Infinity;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string' },
      engines: { type: 'string' },
      only: { type: 'string' },
      limit: { type: 'string' },
      budget: { type: 'string' },
    },
  });
  await benchPatterns({
    rows: values.rows?.split(',').map(Number) ?? DEFAULTS.rows,
    engines: values.engines?.split(',') ?? DEFAULTS.engines,
    patterns: values.only?.split(';') ?? DEFAULTS.patterns,
    limit: values.limit === undefined ? DEFAULTS.limit : Number(values.limit) * 1000,
    budget: values.budget === undefined ? DEFAULTS.budget : Number(values.budget) * 1000,
  });
}
