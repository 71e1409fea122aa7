/** Starts a server process in its role: API, worker, or both. Settings come from the environment; see docs/configuration.md. */
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import pretty from 'pino-pretty';
import type { Logger } from 'pino';
import { loadConfig } from './config/load-config.ts';
import { ADMINISTRATOR_NAME } from './features/users/administrator.ts';
import { createLog } from './base/log.ts';
import { exitOnStartError } from './base/start-error.ts';
import { startServer, type RunningServer } from './compose/start-server.ts';
import { VERSION } from './base/version.ts';

/** A stop that takes longer than this is given up, which leaves the same state as a kill. */
const STOP_LIMIT_MS = 15_000;

function openLog(level: string): Logger {
  // A terminal gets readable lines, a pipe gets JSON.
  const destination = process.stdout.isTTY ? pretty({ sync: true, ignore: 'pid,hostname' }) : undefined;
  return createLog({ level, destination });
}

function print(...lines: string[]): void {
  process.stdout.write(`\n${lines.map((line) => `  ${line}`).join('\n')}\n\n`);
}

function printAdministrator(generatedPassword: string | null): void {
  const password = generatedPassword ?? '(the one in RUNSHEET_ADMIN_PASSWORD)';
  print(
    'Sign in with',
    `  user name  ${ADMINISTRATOR_NAME}`,
    `  password   ${password}`,
    'The password is shown this once and has to be changed at the first sign-in.',
  );
}

async function end(server: RunningServer, log: Logger, exitCode: number): Promise<never> {
  try {
    await server.stop();
  } catch (err) {
    log.error({ err }, 'the stop failed');
    exitCode ||= 1;
  }
  process.exit(exitCode);
}

/** Limits the time from the signal on, so that a hanging start ends as well. */
function limitStop(log: Logger, exitCode: number, drainSeconds: number): void {
  setTimeout(
    () => {
      log.error('the stop took too long and was abandoned');
      process.exit(exitCode || 1);
    },
    STOP_LIMIT_MS + drainSeconds * 1000,
  );
}

/**
 * npm forwards the terminal's Ctrl-C to this process, which has already received it: two signals this close together
 * count as one.
 */
const SAME_SIGNAL_MS = 1_000;

/** The first signal requests a clean stop; a second one ends the process immediately. */
async function waitForEnd(log: Logger): Promise<number> {
  const ended = new AbortController();
  const signal = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((name) =>
    once(process, name, { signal: ended.signal }).then(() => {
      log.info({ signal: name }, 'stopping');
      return 0;
    }),
  );
  const failure = ['uncaughtException', 'unhandledRejection'].map((name) =>
    once(process, name, { signal: ended.signal }).then(([err]: unknown[]) => {
      log.fatal({ err }, 'stopping because of an unexpected error');
      return 1;
    }),
  );
  const exitCode = await Promise.race([...signal, ...failure]);
  const since = performance.now();
  for (const name of ['SIGINT', 'SIGTERM']) {
    process.on(name, () => {
      if (performance.now() - since > SAME_SIGNAL_MS) process.exit(130);
    });
  }
  return exitCode;
}

async function run(): Promise<void> {
  const config = loadConfig();
  const log = openLog(config.logLevel);
  let administrator: { generatedPassword: string | null } | undefined;
  const onAdministrator = (generatedPassword: string | null): void => void (administrator = { generatedPassword });
  try {
    const ended = waitForEnd(log);
    void ended.then((exitCode) => limitStop(log, exitCode, config.drainSeconds));
    const server = await startServer({ config, log, onAdministrator });
    print(server.address === null ? `Runsheet ${VERSION} works.` : `Runsheet ${VERSION} is at ${server.address}`);
    if (administrator) printAdministrator(administrator.generatedPassword);
    // Node.js writes the compile cache when a process ends. A killed server would leave none, and the next start would
    // compile the program again.
    flushCompileCache();
    await end(server, log, await ended);
  } catch (error) {
    // The administrator was created before the start failed: otherwise nobody would ever learn the password.
    if (administrator) printAdministrator(administrator.generatedPassword);
    throw error;
  }
}

/**
 * The reader of the output may be gone, such as the end of a pipe, or the disk may be full: this must not end the
 * process. Without this handler, a failed write would be an unexpected error, whose log line could not be written
 * either, and so on forever.
 */
const CANNOT_BE_WRITTEN = new Set(['EPIPE', 'ENOSPC', 'EDQUOT', 'EIO']);
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (!CANNOT_BE_WRITTEN.has(error.code ?? '')) throw error;
  });
}

await run().catch(exitOnStartError);
