/** Processor and idle times of a process and its machine, from Linux. Other systems do not provide them. */
import { readFile } from 'node:fs/promises';

/** The unit in which Linux counts processor time. Source: proc(5), sysconf(_SC_CLK_TCK). */
const TICK_MS = 10;

export interface ProcessTimes {
  /** Processor time of the main thread. */
  cpuMs: number;
  /** Idle time of the machine's processors, summed over all of them. */
  idleMs: number;
  processors: number;
  /** Time of the measurement by performance.now(). */
  at: number;
}

/** Returns undefined if the process has ended, or if the system does not provide the times. */
export async function processTimes(pid: number): Promise<ProcessTimes | undefined> {
  try {
    const ofThread = await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8');
    const ofMachine = await readFile('/proc/stat', 'utf8');
    // The name of the program comes first, in parentheses, and can contain spaces.
    const fields = ofThread.slice(ofThread.lastIndexOf(')') + 2).split(' ');
    const [, idle, waiting] = /^cpu +\d+ \d+ \d+ (\d+) (\d+)/.exec(ofMachine) ?? [];
    return {
      cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
      idleMs: (Number(idle) + Number(waiting)) * TICK_MS,
      processors: ofMachine.match(/^cpu\d/gm)?.length ?? 1,
      at: performance.now(),
    };
  } catch {
    return undefined;
  }
}

/**
 * Estimates how long the same work would have taken on a quiet machine: the processor time used, plus the time when the
 * whole machine was idle, in which only the program itself can have waited.
 */
export function quietMs(from: ProcessTimes, to: ProcessTimes): number {
  const atLeastOneIdle = (to.processors - 1) * (to.at - from.at);
  return to.cpuMs - from.cpuMs + Math.max(0, to.idleMs - from.idleMs - atLeastOneIdle);
}
