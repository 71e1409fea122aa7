/** Import steps that read the newest file of a folder, with real folders and the real executor. */
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Inspection, RunLogLine, RunOutcome } from '#server/executors/executor.ts';
import type { StepServices } from '#server/executors/step-services.ts';
import { createStaticFolders } from '#server/folders/static-folders.ts';
import { readNewestFile } from '#server/queue/steps/step-folder.ts';
import { columnLetters } from '#shared/codecs/cell-address.ts';
import type { CellSpec, SheetSpec, WorkbookSpec } from '#test/support/build-workbook.ts';
import { buildWorkbook } from '#test/support/build-workbook.ts';
import { createWorkbookExecutor } from '../workbook-executor.ts';

const executor = createWorkbookExecutor({ threads: 1 });
const never = new AbortController().signal;
let base: string;
let services: StepServices;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'runsheet-import-'));
  const folders = createStaticFolders([`Rates=${join(base, 'rates')}`, `Deals=${join(base, 'deals')}`], 1000);
  services = { newestFile: (wanted) => readNewestFile(folders, wanted) } as StepServices;
});
beforeEach(async () => {
  for (const name of ['rates', 'deals']) {
    await rm(join(base, name), { recursive: true, force: true });
    await mkdir(join(base, name));
  }
});
afterAll(async () => {
  await executor.close();
  await rm(base, { recursive: true });
});

async function put(folder: string, name: string, day: number, content: string): Promise<void> {
  const path = join(base, folder, name);
  await writeFile(path, content);
  await utimes(path, day * 86_400, day * 86_400);
}

/** The Portal sheet with its tables below each other. */
function portal(tables: Record<string, CellSpec[][]>): SheetSpec {
  const sheet: Required<Pick<SheetSpec, 'cells' | 'tables'>> = { cells: {}, tables: [] };
  let top = 1;
  for (const [name, rows] of Object.entries(tables)) {
    for (const [y, row] of rows.entries()) {
      for (const [x, cell] of row.entries()) if (cell !== '') sheet.cells[`${columnLetters(x)}${top + y}`] = cell;
    }
    const bottom = top + rows.length - 1;
    const ref = `A${top}:${columnLetters(rows[0]!.length - 1)}${bottom}`;
    sheet.tables.push({ name, ref, columns: rows[0] as string[] });
    top = bottom + 2;
  }
  return { name: 'Portal', ...sheet };
}

const STEP = ['Read', 'Import', 'Source', 'T', 'rates-*.csv'];

interface Book {
  /** The row of PortalInputs for Source: Name, CellUsages, Blanks. */
  source?: CellSpec[];
  step?: CellSpec[];
  /** Address of the input, and the contents of its cells. */
  at?: string;
  cells?: Record<string, CellSpec>;
}

function book({ source = ['Source', '', ''], step = STEP, at = 'S!$E$1', cells = {} }: Book = {}): WorkbookSpec {
  return {
    sheets: [
      {
        name: 'S',
        cells: {
          A1: 'Code',
          B1: 'Rate',
          A2: 'EUR',
          B2: 1,
          D1: { formula: 'SUM(T[Rate])', value: 1 },
          ...cells,
        },
        tables: [{ name: 'T', ref: 'A1:B2', columns: ['Code', 'Rate'] }],
      },
      portal({
        PortalInputs: [['Name', 'CellUsages', 'Blanks'], source],
        PortalSteps: [['Step', 'Action', 'Input', 'Table', 'Pattern'], step],
      }),
    ],
    names: { in_Source: at, out_Total: 'S!$D$1' },
  };
}

async function inspect(spec: WorkbookSpec): Promise<Inspection & { bytes: Uint8Array }> {
  const bytes = await buildWorkbook(spec);
  const inspection = await executor.inspect({ fileName: 'Book.xlsx', bytes, acceptUnsupported: [] }, never);
  return { ...inspection, bytes };
}

let versions = 0;

async function run(spec: WorkbookSpec, value: unknown): Promise<{ outcome: RunOutcome; log: RunLogLine[] }> {
  const { definition, problems, bytes } = await inspect(spec);
  expect(problems).toEqual([]);
  const log: RunLogLine[] = [];
  const outcome = await executor.run({
    versionKey: `folders ${++versions}`,
    definition: definition!,
    fileName: 'Book.xlsx',
    readWorkbook: () => Promise.resolve(Uint8Array.from(bytes)),
    inputs: [{ Name: 'Source', value: value === undefined ? null : JSON.stringify(value), files: [] }],
    timeLimit: 60_000,
    services,
    signal: never,
    onLog: (line) => log.push(line),
    onProgress: () => undefined,
  });
  return { outcome, log };
}

const total = ({ outputs }: RunOutcome): unknown => JSON.parse(outputs[0]!.Value!);
const texts = (log: RunLogLine[]): string[] => log.map(({ Message }) => Message);

describe('an Import step with a Pattern', () => {
  it('makes its input a StaticFolder, without a sample to upload', async () => {
    const { definition, problems } = await inspect(book());
    expect(problems).toEqual([]);
    expect(definition!.inputs[0]!.Info).toMatchObject({ CellUsages: ['StaticFolder'], SampleFilePath: null });
    expect(definition!.steps[0]!.options['Pattern']).toBe('rates-*.csv');
  });

  it('reads the newest file that fits into its table, and says which', async () => {
    await put('rates', 'rates-1.csv', 20_000, 'Code,Rate\nUSD,2\nGBP,3\n');
    await put('rates', 'rates-2.csv', 20_001, 'Code,Rate\nUSD,20\nGBP,30\nCHF,40\n');
    await put('rates', 'other.csv', 20_002, 'Code,Rate\nUSD,99\n');
    const { outcome, log } = await run(book(), { FolderKey: 'Rates' });
    expect(texts(log)).toEqual([
      "Step 'Read': 'rates-2.csv' of the folder 'Rates', changed 2024-10-05 00:00:00 UTC",
      expect.stringMatching(/^Step 'Read': 3 rows into the table T, content /),
    ]);
    expect(outcome.status).toBe('Succeeded');
    expect(total(outcome)).toBe(90);
  });

  it('fails where no file fits', async () => {
    await put('rates', 'other.csv', 20_000, 'Code,Rate\nUSD,99\n');
    const { outcome, log } = await run(book(), { FolderKey: 'Rates' });
    expect(outcome.status).toBe('Failed');
    expect(log).toMatchObject([
      { Message: "Step 'Read': the folder 'Rates' has no file 'rates-*.csv'", StatusCode: 1240, Category: 3 },
    ]);
  });

  it('leaves the table as it is where no file fits and the input accepts blanks', async () => {
    const { outcome, log } = await run(book({ source: ['Source', '', true] }), { FolderKey: 'Rates' });
    expect(outcome.status).toBe('Succeeded');
    expect(total(outcome)).toBe(1);
    expect(texts(log).at(-1)).toContain('stays as it is');
  });

  it('ends with an error in the setup where the server has no such folder', async () => {
    const { outcome, log } = await run(book(), { FolderKey: 'Elsewhere' });
    expect(outcome.status).toBe('LogicError');
    expect(texts(log)[0]).toContain("There is no folder 'Elsewhere' on this server");
  });

  it('refuses a file that is too large', async () => {
    await put('rates', 'rates-1.csv', 20_000, `Code,Rate\n${'USD,1\n'.repeat(200)}`);
    const { outcome, log } = await run(book(), { FolderKey: 'Rates' });
    expect(outcome.status).toBe('Failed');
    expect(texts(log)[0]).toContain("The file 'rates-1.csv' is larger than the allowed 1000 bytes");
  });
});

describe('an input of the usage FolderPath', () => {
  it('names the folder, or several of them, that a step reads', async () => {
    await put('rates', 'rates-1.csv', 20_000, 'Code,Rate\nUSD,2\n');
    await put('deals', 'rates-9.csv', 20_000, 'Code,Rate\nGBP,5\n');
    const one = await run(book({ source: ['Source', 'FolderPath', ''] }), 'deals');
    expect(total(one.outcome)).toBe(5);
    const column = { at: 'S!$E$1:$E$3', cells: { E1: 'Rates' } };
    const both = await run(book({ source: ['Source', 'FolderPath', ''], ...column }), ['Rates', 'Deals']);
    expect(total(both.outcome)).toBe(7);
  });

  it('takes what stands in the workbook where nothing was chosen', async () => {
    await put('deals', 'rates-9.csv', 20_000, 'Code,Rate\nGBP,5\n');
    const spec = book({ source: ['Source', 'FolderPath', ''], cells: { E1: 'Deals' } });
    expect(total((await run(spec, undefined)).outcome)).toBe(5);
  });

  it('may be read without a Pattern', async () => {
    await put('rates', 'anything.csv', 20_000, 'Code,Rate\nUSD,2\n');
    const spec = book({ source: ['Source', 'FolderPath', ''], step: ['Read', 'Import', 'Source', 'T', ''] });
    expect(total((await run(spec, 'Rates')).outcome)).toBe(2);
  });
});

describe('an upload', () => {
  it.each([
    [{ source: ['Source', 'Number', ''] }, 'A step imports', 'neither a file nor a folder'],
    [{ source: ['Source', 'FilePath', ''] }, "A step looks for 'rates-*.csv'", 'is not a folder'],
    [{ at: 'S!$E$1:$E$3' }, "The preset folder 'Source'", 'is not a single cell'],
  ] as [Book, string, string][])('with %j is refused', async (changes, start, end) => {
    const { definition, problems } = await inspect(book(changes));
    expect(definition).toBeNull();
    expect(JSON.stringify(problems)).toContain(start);
    expect(JSON.stringify(problems)).toContain(end);
  });
});
