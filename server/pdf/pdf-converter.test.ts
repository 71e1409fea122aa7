import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
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

/** A program in place of the office: it writes the ids of itself and of a child, and waits. */
async function sleeper(): Promise<string> {
  const path = join(folder, 'soffice');
  await writeFile(path, `#!/bin/sh\nsleep 1000 &\necho $$ $! > ${join(folder, 'pids')}\nwait\n`);
  await chmod(path, 0o755);
  return path;
}

/** One that has ended, and that nobody has asked for its end yet, does not count. */
async function isAlive(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return state !== '' && !/\) [ZX] /.test(state);
}

async function pids(): Promise<number[]> {
  return (await readFile(join(folder, 'pids'), 'utf8')).trim().split(' ').map(Number);
}

describe('a PDF converter', () => {
  it.skipIf(installed === null)('makes a PDF file of a workbook', async () => {
    const pdf = await createPdfConverter(installed!).convert(await workbook(), never);
    expect(new TextDecoder().decode(pdf.slice(0, 5))).toBe('%PDF-');
  });

  it('ends the program and all it started when its time is over', async () => {
    // Long enough for a shell to say who it is, on a busy machine too.
    const converter = createPdfConverter(await sleeper(), { timeLimit: 3500 });
    await expect(converter.convert(await workbook(), never)).rejects.toThrow('within 4 seconds');
    for (const pid of await pids()) await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('ends the program when the run is cancelled, and leaves no files', async () => {
    const controller = new AbortController();
    // Others convert beside this one.
    vi.stubEnv('TMPDIR', folder);
    const converting = createPdfConverter(await sleeper()).convert(await workbook(), controller.signal);
    await expect.poll(() => pids().catch(() => [])).toHaveLength(2);
    expect((await readdir(folder)).filter((name) => name.startsWith('runsheet-pdf-'))).toHaveLength(1);
    controller.abort(new Error('cancelled'));
    await expect(converting).rejects.toThrow('cancelled');
    for (const pid of await pids()) await expect.poll(() => isAlive(pid)).toBe(false);
    expect((await readdir(folder)).filter((name) => name.startsWith('runsheet-pdf-'))).toEqual([]);
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
