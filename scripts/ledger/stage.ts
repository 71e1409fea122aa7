/**
 * Stages of a test run record their cost here. `npm run test:ledger` sets RUNSHEET_TEST_LEDGER_FILE to a file to which
 * each stage appends a line, and RUNSHEET_TEST_LEDGER_COUNTER to a counter of processor time. Without the file, a stage
 * runs without recording.
 */
import { appendFileSync, readFileSync } from 'node:fs';

/** `.ci/run` also writes these lines. */
export interface StageLine {
  stage: string;
  wallSeconds: number;
  /** Processor time of all processes that ran during the stage; null if the system has no counter. */
  cpuSeconds: number | null;
}

export interface FileLine {
  file: string;
  wallSeconds: number;
}

/** The unit of `/proc/<pid>/stat`. */
const TICKS_PER_SECOND = 100;

/**
 * Parses `cpu.stat` of a control group, or `/proc/<pid>/stat`, which counts a process and the children that it waited
 * for.
 */
export function parseCpuSeconds(text: string): number {
  const microseconds = /^usage_usec (\d+)$/m.exec(text)?.[1];
  if (microseconds !== undefined) return Number(microseconds) / 1e6;
  // The second field is the program's name in parentheses, which may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
}

function readCpuSeconds(): number | null {
  const counter = process.env['RUNSHEET_TEST_LEDGER_COUNTER'];
  return counter ? parseCpuSeconds(readFileSync(counter, 'utf8')) : null;
}

export function appendLine(line: StageLine | FileLine): void {
  const file = process.env['RUNSHEET_TEST_LEDGER_FILE'];
  if (file) appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** Starts a stage; the returned function ends it. */
export function beginStage(stage: string): () => void {
  const startedAt = performance.now();
  const cpuBefore = readCpuSeconds();
  return () => {
    const cpuAfter = readCpuSeconds();
    const cpuSeconds = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore;
    appendLine({ stage, wallSeconds: (performance.now() - startedAt) / 1000, cpuSeconds });
  };
}

export async function runStage<T>(stage: string, run: () => T | Promise<T>): Promise<T> {
  const endStage = beginStage(stage);
  try {
    return await run();
  } finally {
    endStage();
  }
}
