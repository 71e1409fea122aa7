/** The interface that an engine implements for the calculation bench, and the measuring functions. */
import type { BenchmarkSheet } from './sheet.ts';

/** One engine with one loaded workbook. */
export interface Contest {
  /** Calculates everything, whether or not anything changed. */
  full: () => void | Promise<void>;
  /** Changes the ten inputs, each to a different value in each `round`, and calculates what depends on them. */
  inputs: (round: number) => void | Promise<void>;
  /** Copies the calculated model. Absent if the engine has no copies. */
  copy?: () => void;
  /** Returns the sum of all checked numbers, which must be the same for all engines. */
  check: () => number;
  close: () => void | Promise<void>;
}

export interface Contestant {
  /** Returns the reason why the engine cannot take part, or null if it can. */
  missing?: () => string | null;
  load: (sheet: BenchmarkSheet) => Contest | Promise<Contest>;
  /** True if the engine's data is in this process, so that its memory can be measured. */
  hasCountedMemory: boolean;
}

/**
 * Times are the medians of the rounds in milliseconds, memory is in bytes per cell. Null if the value is not available.
 */
export interface Measured {
  load: number;
  full: number;
  inputs: number;
  copy: number | null;
  bytes: number | null;
  check: number;
}

/** Milliseconds after which no further round begins. */
const ENOUGH = 20_000;
const MAX_ROUNDS = 7;

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

const cellCount = ({ sheets }: BenchmarkSheet): number =>
  sheets.reduce((sum, { rows }) => sum + rows.reduce((cells, row) => cells + row.length, 0), 0);

/**
 * Measures rounds until there are enough. First loads and calculates `warmUp` without counting it. Calls `report` with
 * the results so far after each round: if the engine is stopped, its finished rounds still count.
 */
export async function measure(
  engine: Contestant,
  sheet: BenchmarkSheet,
  warmUp: BenchmarkSheet,
  report: (measured: Measured) => void,
): Promise<void> {
  for (let round = 0; round < 3; round += 1) await runRound(engine, warmUp, round);
  const rounds: Measured[] = [];
  const start = performance.now();
  while (rounds.length < MAX_ROUNDS && (rounds.length === 0 || performance.now() - start < ENOUGH)) {
    rounds.push(await runRound(engine, sheet, rounds.length + 1));
    report(summaryOf(rounds));
  }
}

/** Measures one round after one round of `warmUp`. For use with many sheets. */
export async function measureOnce(
  engine: Contestant,
  sheet: BenchmarkSheet,
  warmUp: BenchmarkSheet,
): Promise<Measured> {
  await runRound(engine, warmUp, 0);
  return runRound(engine, sheet, 1);
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

async function runRound(engine: Contestant, sheet: BenchmarkSheet, round: number): Promise<Measured> {
  const before = heap();
  let contest!: Contest;
  const load = await timed(async () => (contest = await engine.load(sheet)));
  const full = await timed(() => contest.full());
  const bytes = engine.hasCountedMemory ? (heap() - before) / cellCount(sheet) : null;
  const copy = contest.copy ? await timed(contest.copy) : null;
  // The first change builds structures that later changes use. A run of a cached workbook already has them.
  await contest.inputs(-1);
  const inputs = await timed(() => contest.inputs(round));
  // All engines are compared with the same inputs, regardless of their number of rounds.
  await contest.inputs(0);
  const check = contest.check();
  await contest.close();
  return { load, full, inputs, copy, bytes, check };
}
