/** The program as a separate process that tests can kill. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { nodeOptions } from '#test/support/child-options.ts';
import { SERVER_MAIN } from '#test/support/server-program.ts';
import { watchStart } from '#test/support/watched-start.ts';

export interface ServerProcess {
  readonly name: string;
  /** Its address; null while it does not respond, and for a worker. */
  readonly address: string | null;
  /** The pid of the process started last. */
  readonly pid: number;
  /**
   * Starts the server and resolves when it is ready. Fails if the start makes no progress or is too slow.
   * @param waitsForOthers true if another server must stop first
   */
  start(waitsForOthers?: boolean): Promise<void>;
  /** SIGKILL: the server cannot clean up. */
  kill(): Promise<void>;
  /** SIGTERM, as an operator would stop it. */
  stop(): Promise<void>;
  /** Its last output lines, printed when a test fails. */
  lines(): readonly string[];
}

const MAX_LINES = 200;

/** @param program command with its arguments */
export function serverProcess(
  name: string,
  settings: Record<string, string>,
  program: readonly string[] = [SERVER_MAIN],
): ServerProcess {
  let child: ChildProcess | undefined;
  let address: string | null = null;
  let lines: string[] = [];

  async function end(signal: NodeJS.Signals): Promise<void> {
    address = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  async function start(waitsForOthers = false): Promise<void> {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, RUNSHEET_PORT: '0', ...nodeOptions(), ...settings };
    const started = spawn(process.execPath, program, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    const works = Promise.withResolvers<void>();
    for (const stream of [started.stdout, started.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines = [...lines.slice(1 - MAX_LINES), line];
        const [, found] = /Runsheet \S+ (?:is at (\S+)|works\.)/.exec(line) ?? [];
        if (found !== undefined) address = found;
        if (/Runsheet \S+ (is at|works)/.test(line)) works.resolve();
      });
    }
    started.once('error', works.reject);
    started.once('exit', (code, signal) =>
      works.reject(new Error(`${name} ended with ${code ?? signal}:\n${lines.slice(-20).join('\n')}`)),
    );
    await watchStart(started, { name, works: works.promise, lines: () => lines, waitsForOthers }).catch(
      (error: unknown) => {
        // A process killed during its start is not a failure.
        if (started.signalCode !== 'SIGKILL') throw error;
      },
    );
  }

  return {
    name,
    get address() {
      return address;
    },
    get pid() {
      return child!.pid!;
    },
    start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    lines: () => lines,
  };
}
