/**
 * Waits until a program started by a test is ready. The wait fails on a standstill or on too much work, but never
 * because the machine is busy.
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { processTimes, quietMs, type ProcessTimes } from './process-times.ts';
import { STALL_TIMEOUT_MS } from './until.ts';

/** Starts that would take longer than this on a quiet machine are reported. */
const SLOW_START_MS = 5_000;
/**
 * Starts that would take longer fail. Next to other programs, the same work takes up to twice the processor time,
 * because they share caches and cores.
 */
const MAX_START_MS = 2 * SLOW_START_MS;
const POLL_INTERVAL_MS = 50;

interface WatchedStart {
  name: string;
  /** Resolves when the program reports that it is ready, and rejects if it ends before. */
  works: Promise<unknown>;
  /** The program's output so far. */
  lines: () => readonly string[];
  /** True if the start must wait for another program; an idle machine then means nothing. */
  waitsForOthers?: boolean;
}

/**
 * Fails if the program neither writes a line nor uses processor time for `STALL_TIMEOUT_MS`, or needs more than
 * `MAX_START_MS`. Time in which other programs kept the machine busy does not count. The error and the report of a slow
 * start contain the program's last output.
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
  // The caller below handles a rejection; until then it must not count as unhandled.
  ending.catch(() => {});

  const quiet = (): number => (first && last ? quietMs({ ...first, cpuMs: 0 }, last) : 0);
  const report = (): string => {
    const took = `${seconds(performance.now() - since)}, ${seconds(quiet())} of it without other programs`;
    return `the start of ${name} took ${took}. It wrote last:\n${lines().slice(-20).join('\n')}`;
  };

  for (;;) {
    await Promise.race([ending, pause(POLL_INTERVAL_MS)]);
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
