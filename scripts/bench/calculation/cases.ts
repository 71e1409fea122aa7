/**
 * Runs many small cases one after the other in one process per engine. A case that takes too long ends the process, and
 * the remaining cases continue in a new one.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Measured } from './contestant.ts';

export interface Case {
  pattern: string;
  rows: number;
}

/** The result that `contest.ts` prints for each of its cases, in their order. */
export type Outcome = Measured | { failed: string };

/** Additional milliseconds for the first case: time to start the process and, for LibreOffice, its office program. */
const START = 30_000;

export interface Limits {
  /** Maximum time a case may take, in milliseconds. */
  limit: number;
  /** Time by performance.now() after which no case begins. */
  until: number;
}

/** Calls `report` for each case with its measurement, or with the reason why there is none. */
export async function eachCase(
  engine: string,
  cases: readonly Case[],
  { limit, until }: Limits,
  report: (own: Case, found: Measured | string) => void,
): Promise<void> {
  for (let done = 0; done < cases.length;) {
    const rest = cases.slice(done);
    if (performance.now() > until) {
      for (const own of rest) report(own, 'no time left');
      return;
    }
    let isTooSlow = false;
    const count = await someCases(engine, rest, { limit, until }, (index, found) => {
      isTooSlow = found === null;
      report(rest[index]!, found ?? `> ${limit / 1000} s`);
    });
    done += count;
    if (count < rest.length && !isTooSlow && performance.now() <= until) {
      report(rest[count]!, 'failed: its process ended');
      done += 1;
    }
  }
}

/** Returns how many cases one process finished. Reports null for a case that took too long. */
async function someCases(
  engine: string,
  cases: readonly Case[],
  { limit, until }: Limits,
  report: (index: number, found: Measured | string | null) => void,
): Promise<number> {
  const entry = fileURLToPath(new URL('contest.ts', import.meta.url));
  const args = ['--expose-gc', '--disable-warning=ExperimentalWarning', entry, '--engine', engine];
  const child = spawn(process.execPath, [...args, '--cases', JSON.stringify(cases)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let count = 0;
  const tooSlow = (): void => {
    report(count, null);
    count += 1;
    child.kill('SIGKILL');
  };
  let timer = setTimeout(tooSlow, limit + START);
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    if (!line.startsWith('{') || child.killed) continue;
    clearTimeout(timer);
    const outcome = JSON.parse(line) as Outcome;
    report(count, 'failed' in outcome ? `failed: ${outcome.failed}` : outcome);
    count += 1;
    if (performance.now() > until) child.kill('SIGKILL');
    else if (count < cases.length) timer = setTimeout(tooSlow, limit);
  }
  clearTimeout(timer);
  return count;
}
