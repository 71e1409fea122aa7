import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { isFullSet } from '#test/support/test-set.ts';
import { slowBook } from '#test/support/workbook-executors.ts';
import { compareFiles, type ComparedFile, type PoolOptions } from './pool.ts';

let folder: string;
let good: string;
let slow: string;
let large: string;
let broken: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runsheet-fidelity-'));
  const write = async (name: string, bytes: Uint8Array): Promise<string> => {
    await writeFile(join(folder, name), bytes);
    return join(folder, name);
  };
  const cells = { A1: 1, A2: { formula: 'A1+1', value: 2 } };
  good = await write('good.xlsx', await buildWorkbook({ sheets: [{ name: 'S', cells }] }));
  slow = await write('slow.xlsx', await buildWorkbook(slowBook()));
  const text = { A1: { formula: 'SUM(LEN(SEQUENCE(2000,1000)&"abcdefghijklmnopqrstuvwxyz"))', value: 1, array: 'A1' } };
  large = await write('large.xlsx', await buildWorkbook({ sheets: [{ name: 'S', cells: text }] }));
  broken = await write('broken.xlsx', Buffer.from('no workbook'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function outcomes(files: string[], options: Partial<PoolOptions> = {}) {
  const found: ComparedFile[] = [];
  const all = { engine: 'runsheet', processes: 1, limit: 60, ...options };
  const { started } = await compareFiles(files, all, (file) => found.push(file));
  const inOrder = found.sort((a, b) => a.at - b.at).map(({ outcome }) => outcome);
  return { started, outcomes: inOrder.map((outcome) => ('report' in outcome ? outcome.report.equal : outcome.error)) };
}

it('compares all files in processes that stay', async () => {
  const found = await outcomes([good, broken, good, good, good], { processes: 2 });
  expect(found.outcomes).toEqual([1, expect.stringContaining('xlsx'), 1, 1, 1]);
  expect(found.started).toBe(2);
});

it.runIf(isFullSet)('ends the process of a file that takes too long, and no other file', async () => {
  // Includes the start of a process, which takes seconds on a slow machine.
  const found = await outcomes([good, slow, good], { limit: 20 });
  expect(found).toEqual({ started: 2, outcomes: [1, 'stopped after 20 seconds', 1] });
});

it.runIf(isFullSet)('ends the process of a file that takes too much memory, and no other file', async () => {
  const found = await outcomes([good, large, good], { heapLimit: 48 });
  expect(found).toEqual({ started: 2, outcomes: [1, expect.stringMatching(/^out of memory$/) as string, 1] });
});

it('replaces a process that holds too much after a file', async () => {
  expect(await outcomes([good, good, good], { maxRetainedMb: 1 })).toEqual({ started: 3, outcomes: [1, 1, 1] });
});
