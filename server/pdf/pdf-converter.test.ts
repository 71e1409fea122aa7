import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import excelJs from 'exceljs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPdfConverter, findPdfProgram } from './pdf-converter.ts';

const never = new AbortController().signal;
const installed = await findPdfProgram();

async function workbook(): Promise<Uint8Array> {
  const book = new excelJs.Workbook();
  book.addWorksheet('Report').addRow(['Total', 42]);
  return new Uint8Array(await book.xlsx.writeBuffer());
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pdf-test-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/**
 * Creates a replacement for the office program with a child process: both wait, and have the folder among their
 * arguments.
 */
async function sleeper(): Promise<string> {
  const path = join(folder, 'soffice');
  await writeFile(path, `#!/bin/sh\nsh -c 'sleep 1000; :' '${folder}/child' &\nwait\n`);
  await chmod(path, 0o755);
  return path;
}

/** Returns the processes that run it, including those that confine it. A zombie process has no arguments. */
function processes(): string[] {
  const lines = execFileSync('ps', ['-eww', '-o', 'stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(folder) && !/^\s*[ZX]/.test(line));
}

const isRunning = (): boolean => processes().some((line) => line.includes(`${folder}/child`));

/** Some systems do not allow separate mount namespaces. */
const canHide = (): boolean =>
  spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

describe('a PDF converter', () => {
  it.skipIf(installed === null)('makes a PDF file of a workbook', async () => {
    const pdf = await createPdfConverter(installed!).convert(await workbook(), never);
    expect(new TextDecoder().decode(pdf.slice(0, 5))).toBe('%PDF-');
  });

  it('ends the program and all it started when its time is over', async () => {
    // Long enough for the shell to start, also on a busy machine.
    const converter = createPdfConverter(await sleeper(), { timeLimit: 3500 });
    await expect(converter.convert(await workbook(), never)).rejects.toThrow('within 4 seconds');
    await expect.poll(processes).toEqual([]);
  });

  it('ends the program when the run is cancelled, and leaves no files', async () => {
    const controller = new AbortController();
    // Other tests convert at the same time, so this one uses its own temporary folder.
    vi.stubEnv('TMPDIR', folder);
    const converting = createPdfConverter(await sleeper()).convert(await workbook(), controller.signal);
    await expect.poll(isRunning).toBe(true);
    expect((await readdir(folder)).filter((name) => name.startsWith('runsheet-pdf-'))).toHaveLength(1);
    controller.abort(new Error('cancelled'));
    await expect(converting).rejects.toThrow('cancelled');
    await expect.poll(processes).toEqual([]);
    expect((await readdir(folder)).filter((name) => name.startsWith('runsheet-pdf-'))).toEqual([]);
  });

  it('shows the program nothing of the folders of the server', async () => {
    const data = join(folder, 'data');
    await mkdir(data);
    await writeFile(join(data, 'secret.key'), 'the key of the server');
    const path = join(folder, 'soffice');
    await writeFile(path, `#!/bin/sh\ncat '${data}/secret.key' > workbook.pdf\necho ended >> workbook.pdf\n`);
    await chmod(path, 0o755);
    const convert = async (hidden: string[]): Promise<string> =>
      new TextDecoder().decode(await createPdfConverter(path, { hidden }).convert(await workbook(), never));
    expect(await convert([])).toContain('the key of the server');
    const seen = await convert([data]);
    expect(seen).toBe(canHide() ? 'ended\n' : 'the key of the serverended\n');
  });

  it('says what is wrong where no file comes out', async () => {
    const path = join(folder, 'soffice');
    await writeFile(path, '#!/bin/sh\nexit 1\n');
    await chmod(path, 0o755);
    await expect(createPdfConverter(path).convert(await workbook(), never)).rejects.toThrow(
      'could not be made a PDF file',
    );
  });

  it('is found where it is installed', async () => {
    await sleeper();
    expect(await findPdfProgram({ PATH: folder })).toBe(join(folder, 'soffice'));
  });
});
