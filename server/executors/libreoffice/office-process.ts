/**
 * Runs one LibreOffice process: headless, with a temporary profile, without network access if the system allows that,
 * and with a memory limit. The process ends with its keeper script, which runs only as long as the pipe from this
 * process is open.
 */
import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { confinement } from '#server/base/confined-program.ts';
import { PROFILE_SETTINGS } from './profile.ts';

export interface OfficeProcess {
  /** Temporary folder of the process, deleted when it ends. */
  folder: string;
  socket: Socket;
  /** Ends the process immediately. Safe to call twice. */
  stop(): void;
}

const SYSTEM_PATH = '/usr/bin:/bin';
/** Milliseconds within which the process must accept a connection. */
const START_LIMIT = 60_000;
const POLL_INTERVAL_MS = 50;

/**
 * Shell script that waits for the office process or the end of standard input, whichever comes first. It restarts the
 * office process on exit code 81 (a new profile has been set up). $1 program, $2 folder, $3 memory in kilobytes, $4
 * pipe, $5 the second pipe that LibreOffice creates.
 */
const KEEPER = `
umask 077
ulimit -c 0
ulimit -v "$3" 2>/dev/null
exec 3<&0
while :; do
  "$1" "-env:UserInstallation=file://$2/profile" --headless --invisible --norestore --nologo --nodefault --nolockcheck \\
    --nofirststartwizard "--accept=pipe,name=$4;urp;" </dev/null >/dev/null 2>&1 3<&- &
  office=$!
  ( read -r _ <&3; kill -9 "$office" 2>/dev/null ) &
  watch=$!
  wait "$office"
  code=$?
  kill "$watch" 2>/dev/null
  [ "$code" -eq 81 ] || break
done
rm -rf "$2"
rm -f /tmp/OSL_PIPE_*_"$4" /tmp/OSL_PIPE_*_"$5" /var/tmp/OSL_PIPE_*_"$4" /var/tmp/OSL_PIPE_*_"$5"
exit "$code"
`;

/** Rejects if the process does not start. The folders in `hidden` are invisible to it if the system allows that. */
export async function startOffice(
  program: string,
  memoryBytes: number,
  hidden: readonly string[],
): Promise<OfficeProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'runsheet-office-'));
  const pipe = `runsheet${randomBytes(12).toString('hex')}`;
  try {
    await mkdir(join(folder, 'profile', 'user'), { recursive: true });
    await writeFile(join(folder, 'profile', 'user', 'registrymodifications.xcu'), PROFILE_SETTINGS);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const [command, ...first] = [...confinement(program, folder, hidden), '/bin/sh', '-c', KEEPER, 'runsheet-office'];
  const kilobytes = String(Math.floor(memoryBytes / 1024));
  const child = spawn(command!, [...first, program, folder, kilobytes, pipe, instancePipe(folder)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: folder,
    // Do not pass on our environment: it holds passwords.
    env: { PATH: SYSTEM_PATH, HOME: folder, TMPDIR: folder, XDG_RUNTIME_DIR: folder, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
  });
  child.stdin.on('error', () => undefined);
  const stop = (): void => {
    child.stdin.destroy();
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    return { folder, socket: await connectTo(child, folder, pipe), stop: () => child.stdin.destroy() };
  } catch (error) {
    stop();
    throw error;
  }
}

/**
 * Name of the pipe by which an office process finds others with the same profile. A killed process leaves the pipe
 * behind. Source: desktop/source/app/officeipcthread.cxx.
 */
function instancePipe(folder: string): string {
  const profile = Buffer.from(`file://${folder}/profile`, 'utf16le');
  const digits = [...createHash('md5').update(profile).digest()].map((byte) => byte.toString(16));
  return `SingleOfficeIPC_${digits.join('')}`;
}

async function connectTo(child: ChildProcess, folder: string, pipe: string): Promise<Socket> {
  const end = Date.now() + START_LIMIT;
  const ended: string[] = [];
  child.once('error', (error) => ended.push(error.message));
  child.once('exit', (code, signal) => ended.push(`it ended with ${signal ?? code}`));
  while (ended.length === 0 && Date.now() < end) {
    const path = pipeIn([folder, '/tmp', '/var/tmp'], pipe);
    const socket = path === null ? null : await opened(path);
    if (socket) return socket;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  throw new Error(`LibreOffice does not start: ${ended[0] ?? `no answer within ${START_LIMIT / 1000} seconds`}`);
}

/**
 * Finds the pipe. LibreOffice creates it in one of several folders, under a name that begins with the user's number.
 */
function pipeIn(folders: readonly string[], pipe: string): string | null {
  for (const folder of folders) {
    const name = readdirSync(folder).find((entry) => entry.startsWith('OSL_PIPE_') && entry.endsWith(`_${pipe}`));
    if (name !== undefined) return join(folder, name);
  }
  return null;
}

/** Returns null if nothing listens yet. */
async function opened(path: string): Promise<Socket | null> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    socket.destroy();
    return null;
  }
}

export const urlIn = (folder: string, name: string): string => pathToFileURL(join(folder, name)).href;
