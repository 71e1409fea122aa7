/** What a process and its machine did with their time, by the figures of Linux. Other systems give none. */
import { readFile } from 'node:fs/promises';

/** The unit in which Linux counts processor time. Source: proc(5), sysconf(_SC_CLK_TCK). */
const TICK_MS = 10;

export interface ProcessTimes {
  /** Processor time of the main thread. */
  cpuMs: number;
  /** How long the processors of the machine were idle, summed over all of them. */
  idleMs: number;
  processors: number;
  /** When this was measured, by performance.now(). */
  at: number;
}

/** Undefined where the process has ended, or the system does not say. */
export async function processTimes(pid: number): Promise<ProcessTimes | undefined> {
  try {
    const ofThread = await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8');
    const ofMachine = await readFile('/proc/stat', 'utf8');
    // The name of the program comes before, in brackets, and may contain blanks.
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
 * How long the same work would have taken on a quiet machine: the processor time that it used, and the time in which the whole machine was idle, so that
 * only the program itself can have waited for something.
 */
export function quietMs(from: ProcessTimes, to: ProcessTimes): number {
  const atLeastOneIdle = (to.processors - 1) * (to.at - from.at);
  return to.cpuMs - from.cpuMs + Math.max(0, to.idleMs - from.idleMs - atLeastOneIdle);
}
