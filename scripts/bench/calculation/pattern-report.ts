/**
 * Prints the results of the pattern bench: a table of milliseconds, then where a peer is faster, then which patterns
 * grow faster than the rows.
 */
import type { Measured } from './contestant.ts';
import { isSameSum } from './targets.ts';

/** Measurements by size, engine and pattern. A text is the reason why there is no measurement. */
export type Found = ReadonlyMap<number, ReadonlyMap<string, ReadonlyMap<string, Measured | string>>>;

const OURS = 'runsheet';
const WIDTH = 15;
const NAME = 23;

/** Differences within this factor and these milliseconds may be noise of the machine. */
const SLOWER = 1.25;
const MILLISECONDS = 3;
/**
 * How much faster than the rows the time may grow. With range indexes, the logarithm of the rows and cache effects add
 * to it.
 */
const GROWTH = 1.6;

/** Each cell shows the full calculation and ten changed inputs. < means faster than ours, ! means another result. */
export function printTables(found: Found, patterns: readonly string[]): void {
  for (const [rows, engines] of found) {
    const names = [...engines.keys()];
    console.log(`\n${rows} rows: milliseconds, full / ten inputs; < faster than Runsheet, ! different result`);
    console.log(line('', names));
    for (const pattern of patterns) {
      const ours = engines.get(OURS)?.get(pattern);
      console.log(
        line(
          pattern,
          names.map((name) => cellOf(engines.get(name)!.get(pattern) ?? '–', name === OURS ? undefined : ours)),
        ),
      );
    }
  }
}

const line = (head: string, cells: readonly string[]): string =>
  [head.slice(0, NAME).padEnd(NAME), ...cells.map((cell) => cell.slice(0, WIDTH).padEnd(WIDTH))].join(' ').trimEnd();

const shown = (ms: number): string => ms.toFixed(ms < 10 ? 1 : 0);

function cellOf(own: Measured | string, ours: Measured | string | undefined): string {
  if (typeof own === 'string') return own;
  const marks = typeof ours === 'object' ? `${isFaster(own, ours) ? ' <' : ''}${isSameSum(own, ours) ? '' : ' !'}` : '';
  return `${shown(own.full)} / ${shown(own.inputs)}${marks}`;
}

const isFaster = (peer: Measured, ours: Measured): boolean =>
  (['full', 'inputs'] as const).some((part) => ours[part] > peer[part] * SLOWER + MILLISECONDS);

/**
 * Compares each peer with ours at the largest size that both finished, and ours with itself at the two largest sizes.
 */
export function printSummary(found: Found, patterns: readonly string[]): void {
  const slower: string[] = [];
  const steep: string[] = [];
  let compared = 0;
  for (const pattern of patterns) {
    for (const peer of peersOf(found)) {
      const common = [...found].findLast(
        ([, engines]) => isMeasured(engines.get(OURS)?.get(pattern)) && isMeasured(engines.get(peer)?.get(pattern)),
      );
      if (!common) continue;
      compared += 1;
      const [ours, own] = [OURS, peer].map((name) => common[1].get(name)!.get(pattern) as Measured) as [
        Measured,
        Measured,
      ];
      if (isFaster(own, ours)) {
        slower.push(`${pattern}: ${cellOf(ours, undefined)}, ${peer} ${cellOf(own, undefined)} at ${common[0]} rows`);
      }
    }
    const growth = growthOf(found, pattern);
    if (growth !== null && growth > GROWTH) steep.push(`${pattern}: ${growth.toFixed(1)} × the rows' growth`);
  }
  console.log(`\nA peer is faster in ${slower.length} of ${compared} comparisons`);
  for (const own of slower) console.log(`  ${own}`);
  console.log(`Time grows faster than the number of rows: ${steep.length} of ${patterns.length}`);
  for (const own of steep) console.log(`  ${own}`);
}

const isMeasured = (own: Measured | string | undefined): boolean => typeof own === 'object';

const peersOf = (found: Found): string[] =>
  [...new Set([...found.values()].flatMap((engines) => [...engines.keys()]))].filter((name) => name !== OURS);

/** Returns the growth of our time between the two largest sizes, divided by the growth of the rows. */
function growthOf(found: Found, pattern: string): number | null {
  const [before, after] = [...found]
    .slice(-2)
    .map(([rows, engines]) => ({ rows, own: engines.get(OURS)?.get(pattern) }));
  if (!before || !after || typeof before.own !== 'object' || typeof after.own !== 'object') return null;
  return (after.own.full + MILLISECONDS) / (before.own.full + MILLISECONDS) / (after.rows / before.rows);
}
