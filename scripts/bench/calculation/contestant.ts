/** What the calculation bench asks of an engine, and how it measures what it is given. */
import type { BenchmarkSheet } from './sheet.ts';

/** One engine with one workbook in it. */
export interface Contest {
  /** Calculates everything, whether anything changed or not. */
  full: () => void | Promise<void>;
  /** Changes the ten inputs, each to another value by `round`, and calculates what depends on them. */
  inputs: (round: number) => void | Promise<void>;
  /** Copies the calculated model; absent where there is no such thing. */
  copy?: () => void;
  /** The sum of all numbers, which must be the same for all engines. */
  check: () => number;
  close: () => void | Promise<void>;
}

export interface Contestant {
  /** Null where it cannot take part, with the reason. */
  missing?: () => string | null;
  load: (sheet: BenchmarkSheet) => Contest | Promise<Contest>;
  /** Whether what it holds lies in this process, where it can be counted. */
  hasCountedMemory: boolean;
}

/** Milliseconds, the median of the rounds, and bytes a cell; null where there is none. */
export interface Measured {
  load: number;
  full: number;
  inputs: number;
  copy: number | null;
  bytes: number | null;
  check: number;
}

/** Milliseconds: after these, fewer rounds are enough. */
const ENOUGH = 20_000;
const MOST_ROUNDS = 7;

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function heap(): number {
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

export const cellCount = ({ sheets }: BenchmarkSheet): number =>
  sheets.reduce((sum, { rows }) => sum + rows.reduce((cells, row) => cells + row.length, 0), 0);

/**
 * Measures rounds until there are enough; `warmUp` is loaded and calculated before, and not counted. `report` gets what is known
 * after each round, so that an engine that is stopped has been measured as far as it came.
 */
export async function measure(
  engine: Contestant,
  sheet: BenchmarkSheet,
  warmUp: BenchmarkSheet,
  report: (measured: Measured) => void,
): Promise<void> {
  for (let round = 0; round < 3; round += 1) await once(engine, warmUp, round);
  const rounds: Measured[] = [];
  const start = performance.now();
  while (rounds.length < MOST_ROUNDS && (rounds.length === 0 || performance.now() - start < ENOUGH)) {
    rounds.push(await once(engine, sheet, rounds.length + 1));
    report(summaryOf(rounds));
  }
}

/** One round after one of `warmUp`, where there are many sheets to measure. */
export async function measureOnce(
  engine: Contestant,
  sheet: BenchmarkSheet,
  warmUp: BenchmarkSheet,
): Promise<Measured> {
  await once(engine, warmUp, 0);
  return once(engine, sheet, 1);
}

function summaryOf(rounds: readonly Measured[]): Measured {
  const middle = (of: (measured: Measured) => number): number => median(rounds.map(of));
  const { copy, bytes, check } = rounds.at(-1)!;
  return {
    load: middle(({ load }) => load),
    full: middle(({ full }) => full),
    inputs: middle(({ inputs }) => inputs),
    copy: copy === null ? null : middle((measured) => measured.copy!),
    bytes: bytes === null ? null : middle((measured) => measured.bytes!),
    check,
  };
}

async function once(engine: Contestant, sheet: BenchmarkSheet, round: number): Promise<Measured> {
  const before = heap();
  let contest!: Contest;
  const load = await timed(async () => (contest = await engine.load(sheet)));
  const full = await timed(() => contest.full());
  const bytes = engine.hasCountedMemory ? (heap() - before) / cellCount(sheet) : null;
  const copy = contest.copy ? await timed(contest.copy) : null;
  // the first change builds what later ones use; a run of a kept workbook has it already
  await contest.inputs(-1);
  const inputs = await timed(() => contest.inputs(round));
  // all engines are compared with the same inputs, whatever rounds they had
  await contest.inputs(0);
  const check = contest.check();
  await contest.close();
  return { load, full, inputs, copy, bytes, check };
}
