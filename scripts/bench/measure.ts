/**
 * Timing for the benches: alternating pairs, medians, ratios. The milliseconds of one machine say little; a ratio
 * within one run says more.
 */
import { availableParallelism, loadavg } from 'node:os';

export interface Timings {
  median: number;
  min: number;
  max: number;
}

export interface Comparison {
  name: string;
  ours: Timings;
  peer: Timings;
  ratio: number;
  /** Null if the ratio is printed for comparison only. */
  target: number | null;
}

export function summary(times: number[]): Timings {
  const sorted = [...times].sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)]!, min: sorted[0]!, max: sorted.at(-1)! };
}

/** Returns the value that this percentage of the values does not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? NaN;
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * Runs both sides alternately (A B A B) after a warm-up, so that a machine that becomes slower affects both. Times are
 * in milliseconds.
 */
export async function compare(
  name: string,
  sides: {
    ours: () => Promise<unknown>;
    peer: () => Promise<unknown>;
    target: number | null;
    rounds: number;
    warmUp?: number;
    /** Runs before each round and is not measured. */
    before?: () => Promise<void>;
  },
): Promise<Comparison> {
  const ours: number[] = [];
  const peer: number[] = [];
  for (let round = -(sides.warmUp ?? 5); round < sides.rounds; round += 1) {
    await sides.before?.();
    const [mine, other] = [await time(sides.ours), await time(sides.peer)];
    if (round < 0) continue;
    ours.push(mine);
    peer.push(other);
  }
  const result = { name, ours: summary(ours), peer: summary(peer), target: sides.target };
  return { ...result, ratio: result.ours.median / result.peer.median };
}

const ms = ({ median, min, max }: Timings): string =>
  `${median.toFixed(2)} ms (${min.toFixed(2)} to ${max.toFixed(2)})`;

export function print({ name, ours, peer, ratio, target }: Comparison): void {
  const verdict = target === null ? 'no target' : `${ratio <= target ? 'within' : 'ABOVE'} the target of ${target}`;
  console.log(`${name}\n  ours ${ms(ours)}\n  peer ${ms(peer)}\n  ratio ${ratio.toFixed(2)}, ${verdict}\n`);
}

/** Prints processors and load, which show what else the machine did during the measurement. */
export function printMachine(): void {
  const [one = 0, five = 0] = loadavg();
  console.log(`${availableParallelism()} processors, load ${one.toFixed(1)} (5 minutes: ${five.toFixed(1)})\n`);
}
