/** Waits for a program that a test starts until it works. A standstill or too much work ends the wait, and never a busy machine. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { processTimes, quietMs, type ProcessTimes } from './process-times.ts';
import { STALL_TIMEOUT_MS } from './until.ts';

/** A start that would take longer than this on a quiet machine is reported. */
const SLOW_START_MS = 5_000;
/** A start of twice that fails. Beside other programs the same work takes up to twice the processor time, as they share its caches and cores. */
const MAX_START_MS = 2 * SLOW_START_MS;
const LOOK_INTERVAL_MS = 50;

interface WatchedStart {
  name: string;
  /** Settles when the program says that it works, and rejects when it ends before. */
  works: Promise<unknown>;
  /** What the program wrote so far. */
  lines: () => readonly string[];
  /** Whether the start has to wait for another program, so that an idle machine means nothing. */
  waitsForOthers?: boolean;
}

/**
 * Fails where the program neither writes a line nor uses a processor for `STALL_TIMEOUT_MS`, or needs more than `MAX_START_MS`. The time does not count in
 * which other programs kept the machine busy. The error and the report of a slow start have what the program wrote last.
 */
export async function watchStart(
  child: ChildProcess,
  { name, works, lines, waitsForOthers }: WatchedStart,
): Promise<void> {
  const since = performance.now();
  const measure = (): Promise<ProcessTimes | undefined> => processTimes(child.pid!);
  const first = await measure();
  let last = first;
  let written = 0;
  let movedAt = since;
  let hasSettled = false;
  const ending = works.finally(() => (hasSettled = true));
  // A rejection reaches the caller below, and must not count as unhandled until then.
  ending.catch(() => {});

  const quiet = (): number => (first && last ? quietMs({ ...first, cpuMs: 0 }, last) : 0);
  const report = (): string => {
    const took = `${seconds(performance.now() - since)}, ${seconds(quiet())} of it without other programs`;
    return `the start of ${name} took ${took}. It wrote last:\n${lines().slice(-20).join('\n')}`;
  };

  for (;;) {
    await Promise.race([ending, pause(LOOK_INTERVAL_MS)]);
    const now = await measure();
    if (now?.cpuMs !== last?.cpuMs || lines().length !== written) movedAt = performance.now();
    last = now ?? last;
    written = lines().length;
    if (hasSettled) break;
    if (quiet() > MAX_START_MS && !waitsForOthers) throw new Error(`too slow: ${report()}`);
    if (performance.now() - movedAt > STALL_TIMEOUT_MS) throw new Error(`no progress: ${report()}`);
  }
  await ending;
  if (quiet() > SLOW_START_MS && !waitsForOthers) process.stderr.write(`slow start: ${report()}\n`);
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
