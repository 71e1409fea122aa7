/**
 * How engines take what business sheets fill down, see calculation/patterns.ts: npm run bench patterns, or
 * node scripts/bench/patterns.ts [--rows 4000,20000] [--engines a,b] [--only 'running total;rank'] [--limit SECONDS]
 * [--budget SECONDS].
 */
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { eachCase } from './calculation/cases.ts';
import type { Measured } from './calculation/contestant.ts';
import { CONTESTANTS } from './calculation/contestants.ts';
import { PATTERNS } from './calculation/patterns.ts';
import { isSameSum } from './calculation/targets.ts';

interface Options {
  /** In ascending order. */
  rows: readonly number[];
  engines: readonly string[];
  patterns: readonly string[];
  /** Milliseconds an engine may take for one pattern and size, with loading. */
  limit: number;
  /** Milliseconds an engine may take for all patterns of one size, so that the whole comes to an end. */
  budget: number;
}

const DEFAULTS: Options = {
  rows: [4000, 20_000],
  engines: ['runsheet', 'hyperformula', 'ironcalc', 'univer', 'libreoffice'],
  patterns: Object.keys(PATTERNS),
  limit: 4000,
  budget: 60_000,
};

const OURS = 'runsheet';
/** Ours is measured however long it takes. */
const OWN_LIMITS = { limit: 120_000, until: Infinity };

type Found = Map<string, Measured | string>;

/** A table a size: milliseconds of the full calculation and of ten changed inputs, and who was faster than ours. */
export async function benchPatterns(options: Options = DEFAULTS): Promise<void> {
  const { rows: sizes, engines, patterns } = options;
  const start = performance.now();
  console.log(`${patterns.length} patterns; load of the machine ${loadavg()[0]!.toFixed(1)}`);
  const results = new Map(
    sizes.map((rows) => [rows, new Map<string, Found>(engines.map((name) => [name, new Map()]))]),
  );
  for (const engine of engines) {
    const missing = CONTESTANTS[engine]!.missing?.() ?? null;
    for (const [at, rows] of sizes.entries()) {
      const own = results.get(rows)!.get(engine)!;
      const before = at === 0 ? null : results.get(sizes[at - 1]!)!.get(engine)!;
      const growth = at === 0 ? 1 : (rows / sizes[at - 1]!) ** 2;
      const isTried = (pattern: string): boolean =>
        missing === null && (engine === OURS || isQuick(before?.get(pattern), growth, options.limit));
      for (const pattern of patterns) if (!isTried(pattern)) own.set(pattern, missing ?? 'not tried');
      const cases = patterns.filter(isTried).map((pattern) => ({ pattern, rows }));
      const limits = engine === OURS ? OWN_LIMITS : { limit: options.limit, until: performance.now() + options.budget };
      await eachCase(engine, cases, limits, ({ pattern }, found) => own.set(pattern, found));
    }
    console.log(`${engine} is done after ${((performance.now() - start) / 1000).toFixed(0)} s`);
  }
  for (const [rows, found] of results) printTable(rows, patterns, found);
  console.log(`\nLoad of the machine ${loadavg()[0]!.toFixed(1)}`);
}

/** Whether the next size is worth trying: the square of the rows is what to expect at worst. */
const isQuick = (before: Measured | string | undefined, growth: number, limit: number): boolean =>
  before === undefined || (typeof before === 'object' && (before.full + before.inputs) * growth < limit * 2);

const WIDTH = 23;

function printTable(rows: number, patterns: readonly string[], found: ReadonlyMap<string, Found>): void {
  const names = [...found.keys()];
  console.log(`\n${rows} rows: milliseconds, full / ten inputs; < faster than ours, ! another result`);
  console.log(['', ...names].map((name) => name.padEnd(WIDTH)).join(' '));
  for (const pattern of patterns) {
    const ours = found.get(OURS)?.get(pattern);
    const cells = names.map((name) => cellOf(found.get(name)!.get(pattern) ?? 'nothing', ours));
    console.log([pattern, ...cells].map((cell) => cell.slice(0, WIDTH).padEnd(WIDTH)).join(' '));
  }
}

function cellOf(own: Measured | string, ours: Measured | string | undefined): string {
  if (typeof own === 'string') return own;
  const marks =
    typeof ours !== 'object' || own === ours
      ? ''
      : `${own.full < ours.full || own.inputs < ours.inputs ? ' <' : ''}${isSameSum(own, ours) ? '' : ' !'}`;
  return `${own.full.toFixed(1)} / ${own.inputs.toFixed(1)}${marks}`;
}

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
