/**
 * How engines take what business sheets fill down, see calculation/patterns.ts: npm run bench patterns, or
 * node scripts/bench/patterns.ts [--rows 5000,20000] [--engines a,b] [--only 'running total,rank'] [--limit SECONDS].
 */
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Measured } from './calculation/contestant.ts';
import { CONTESTANTS } from './calculation/contestants.ts';
import { inProcess } from './calculation/in-process.ts';
import { PATTERNS } from './calculation/patterns.ts';

interface Options {
  rows: readonly number[];
  engines: readonly string[];
  patterns: readonly string[];
  /** Milliseconds an engine may take for one pattern and size. */
  limit: number;
}

const DEFAULTS: Options = {
  rows: [5000, 20_000],
  engines: ['runsheet', 'hyperformula', 'libreoffice'],
  patterns: Object.keys(PATTERNS),
  limit: 60_000,
};

const OURS = 'runsheet';

/** A line a pattern and size: milliseconds of the full calculation and of ten changed inputs, and who was faster than ours. */
export async function benchPatterns(options: Options = DEFAULTS): Promise<void> {
  console.log(`Milliseconds, full / ten inputs; load of the machine ${loadavg()[0]!.toFixed(1)}`);
  for (const pattern of options.patterns) {
    for (const rows of options.rows) {
      const found = new Map<string, Measured | string>();
      for (const engine of options.engines) {
        const missing = CONTESTANTS[engine]!.missing?.() ?? null;
        const own = ['--engine', engine, '--rows', String(rows), '--pattern', pattern];
        found.set(engine, missing ?? (await inProcess<Measured>(own, options.limit)));
      }
      console.log(line(pattern, rows, found));
    }
  }
  console.log(`Load of the machine ${loadavg()[0]!.toFixed(1)}`);
}

function line(pattern: string, rows: number, found: ReadonlyMap<string, Measured | string>): string {
  const ours = found.get(OURS);
  const cells = [...found].map(([engine, own]) => {
    if (typeof own === 'string') return `${engine} ${own.slice(0, 40)}`.padEnd(34);
    const isApart = typeof ours === 'object' && !(Math.abs(own.check - ours.check) <= 1e-9 * Math.abs(ours.check));
    const isFaster = typeof ours === 'object' && (own.full < ours.full || own.inputs < ours.inputs);
    const marks = `${isFaster ? ' FASTER' : ''}${isApart ? ' OTHER RESULT' : ''}`;
    return `${engine} ${own.full.toFixed(1)} / ${own.inputs.toFixed(1)}${marks}`.padEnd(34);
  });
  return `${pattern.padEnd(22)} ${String(rows).padStart(6)}  ${cells.join(' ')}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      rows: { type: 'string' },
      engines: { type: 'string' },
      only: { type: 'string' },
      limit: { type: 'string' },
    },
  });
  await benchPatterns({
    rows: values.rows?.split(',').map(Number) ?? DEFAULTS.rows,
    engines: values.engines?.split(',') ?? DEFAULTS.engines,
    patterns: values.only?.split(',') ?? DEFAULTS.patterns,
    limit: values.limit === undefined ? DEFAULTS.limit : Number(values.limit) * 1000,
  });
}
