/** Runs one engine in a separate process, which is killed if it takes too long. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Returns the last line that `contest.ts` prints for these arguments, or the reason why there is none. `limit` is in
 * milliseconds.
 */
export async function inProcess<T>(own: readonly string[], limit: number): Promise<T | string> {
  const entry = fileURLToPath(new URL('contest.ts', import.meta.url));
  const args = ['--expose-gc', '--disable-warning=ExperimentalWarning', entry];
  try {
    const { stdout } = await run(process.execPath, [...args, ...own], { timeout: limit, killSignal: 'SIGKILL' });
    return JSON.parse(stdout.trim().split('\n').at(-1)!) as T;
  } catch (error) {
    if (error instanceof Error && 'killed' in error && error.killed) {
      const known = 'stdout' in error ? String(error.stdout).trim().split('\n').at(-1)! : '';
      return known.endsWith('}') ? (JSON.parse(known) as T) : `> ${limit / 1000} s`;
    }
    return `failed: ${error instanceof Error ? error.message.split('\n').slice(0, 2).join(' ') : String(error)}`;
  }
}
