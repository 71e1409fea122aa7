/** Converts workbooks to PDF files with a locally installed LibreOffice. */
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { confinement } from '#server/base/confined-program.ts';
import { counted } from '#shared/codecs/counted.ts';

export interface PdfConverter {
  /** Throws a PdfError if the workbook cannot be converted, or the signal's reason. */
  convert(workbook: Uint8Array, signal: AbortSignal): Promise<Uint8Array>;
}

/** Its message is for people. */
export class PdfError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PdfError';
  }
}

export interface PdfConverterOptions {
  /** Maximum duration of a conversion in milliseconds. */
  timeLimit?: number;
  /** Maximum number of concurrent conversions: each is a separate, large process. */
  concurrency?: number;
  /** Folders hidden from the program: those of the server. */
  hidden?: readonly string[];
}

const TIME_LIMIT = 120_000;
const NAMES = ['soffice', 'libreoffice'];
const FOLDERS = [
  '/usr/bin',
  '/usr/local/bin',
  '/opt/libreoffice/program',
  '/Applications/LibreOffice.app/Contents/MacOS',
];

/** Returns the path of the program, or null if none is installed. */
export async function findPdfProgram(env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  const folders = [...(env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''), ...FOLDERS];
  for (const path of folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return null;
}

export function createPdfConverter(program: string, options: PdfConverterOptions = {}): PdfConverter {
  const { timeLimit = TIME_LIMIT, concurrency = 2, hidden = [] } = options;
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async convert(workbook, signal) {
      if (running >= concurrency) await new Promise<void>((go) => waiting.push(go));
      else running += 1;
      try {
        signal.throwIfAborted();
        return await convertIn(program, workbook, { timeLimit, signal, hidden });
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}

/**
 * Uses a new folder and profile each time: nothing of one workbook can reach another, and several conversions can run
 * at once.
 */
async function convertIn(program: string, workbook: Uint8Array, given: Omit<RunBounds, 'folder'>): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'runsheet-pdf-'));
  try {
    const source = join(folder, 'workbook.xlsx');
    const profile = join(folder, 'profile');
    await writeFile(source, workbook);
    await mkdir(join(profile, 'user'), { recursive: true });
    await writeFile(join(profile, 'user', 'registrymodifications.xcu'), SETTINGS);
    await runProgram(program, argumentsFor(folder, profile, source), { ...given, folder });
    return new Uint8Array(await readFile(join(folder, 'workbook.pdf')));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new PdfError('The workbook could not be made a PDF file', { cause });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const argumentsFor = (folder: string, profile: string, source: string): string[] => [
  `-env:UserInstallation=${pathToFileURL(profile).href}`,
  '--headless',
  '--norestore',
  '--nolockcheck',
  '--nodefault',
  '--convert-to',
  'pdf',
  '--outdir',
  folder,
  source,
];

/** The workbook is of unknown origin: no macros, no links, and calculated values are shown unchanged. */
const SETTINGS = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>2</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>1</value></prop></item>
</oor:items>
`;

interface RunBounds {
  folder: string;
  hidden: readonly string[];
  timeLimit: number;
  signal: AbortSignal;
}

/** Ends together with the program and all its child processes: its start script starts further processes. */
async function runProgram(
  program: string,
  args: string[],
  { folder, hidden, timeLimit, signal }: RunBounds,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Without the secrets of the environment, and in its own process group, which can be ended as a whole.
  const env = { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' };
  const [command, ...rest] = [...confinement(program, folder, hidden), program, ...args];
  const child = spawn(command!, rest, { cwd: folder, env, stdio: 'ignore', detached: true });
  const end = (error: unknown): void => {
    reject(error);
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It ended in the meantime.
    }
  };
  const onAbort = (): void => end(signal.reason);
  const time = counted(Math.round(timeLimit / 1000), 'second');
  const clock = setTimeout(
    () => end(new PdfError(`The workbook could not be made a PDF file within ${time}`)),
    timeLimit,
  );
  signal.addEventListener('abort', onAbort, { once: true });
  const exited = new Promise<void>((gone) => child.once('close', () => gone()));
  child.once('error', (cause) => end(new PdfError('The program that makes PDF files cannot be started', { cause })));
  child.once('exit', () => resolve());
  try {
    await promise;
  } finally {
    clearTimeout(clock);
    signal.removeEventListener('abort', onAbort);
    if (child.pid !== undefined) await exited;
  }
}
