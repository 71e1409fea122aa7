/** Many small cases one after the other in one process an engine; a case that takes too long costs the process, not the others. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Measured } from './contestant.ts';

export interface Case {
  pattern: string;
  rows: number;
}

/** What `contest.ts` prints of each of its cases, in their order. */
export type Outcome = Measured | { failed: string };

/** Milliseconds for starting the process, and an office in it, on top of the first case. */
const START = 30_000;

export interface Limits {
  /** Milliseconds a case may take. */
  limit: number;
  /** By performance.now(): no case begins later. */
  until: number;
}

/** Calls `report` for each case with what was measured, or why there is nothing. */
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

/** How many cases one process came to; null is reported for one that took too long. */
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
