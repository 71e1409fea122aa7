import { describe, expect, it } from 'vitest';
import { READER_LIMITS } from '#server/calculation/reader/reader-limits.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import { PACKAGE_LIMITS } from '#server/executors/workbook/package-limits.ts';
import { openPackage } from '#server/executors/workbook/package.ts';
import { writeBack } from '#server/executors/workbook/write-back.ts';
import { buildWorkbook, workbookParts } from '../support/build-workbook.ts';
import { rawZip } from '../support/raw-zip.ts';
import { hostileFiles } from './hostile-files.ts';

async function outcome(read: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await read();
    return undefined;
  } catch (error) {
    if (!(error instanceof WorkbookFileError)) throw error;
    // Expects a sentence for users: it ends properly and shows no code, stack or server path.
    expect(error.message).toMatch(/^[A-Z].{20,600}\.$/s);
    expect(error.message).not.toMatch(/node_modules|\n\s+at /);
    expect(error.message).not.toContain(process.cwd());
    return error.code;
  }
}

describe('a file from a stranger', () => {
  it.each(hostileFiles())('"$name" is read, or refused with its own reason', async ({ bytes, expectedCode }) => {
    const before = process.memoryUsage();
    const code = await outcome(async () => {
      const source = await openPackage(bytes);
      const model = readWorkbook(source);
      // What can be read can also be written back.
      await outcome(() => writeBack(source, model, { constants: [{ sheet: 0, row: 4, col: 2, value: 'x' }] }));
    });
    const after = process.memoryUsage();
    expect(code).toBe(expectedCode);
    expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(200 * 1024 * 1024);
  });

  it('is refused by each bound of the archive', async () => {
    const bytes = await buildWorkbook({ sheets: [{ name: 'S', cells: { A1: 'x'.repeat(5000) } }] });
    const bounded = (limits: Partial<typeof PACKAGE_LIMITS>) =>
      outcome(() => openPackage(bytes, { ...PACKAGE_LIMITS, ...limits }));
    expect(await bounded({})).toBeUndefined();
    expect(await bounded({ fileBytes: bytes.length - 1 })).toBe('tooLarge');
    expect(await bounded({ parts: 3 })).toBe('tooManyParts');
    expect(await bounded({ totalBytes: 5000 })).toBe('tooLarge');
    expect(await bounded({ partBytes: 4000 })).toBe('tooLarge');
    expect(await bounded({ ratio: 3, ratioFreeBytes: 1000 })).toBe('compressionRatio');
    expect(await bounded({ pathChars: 10 })).toBe('unsafePath');
  });

  it('is refused by each bound of the reader', async () => {
    const bytes = await buildWorkbook({
      sheets: [
        { name: 'S', cells: { A1: 'text one', A2: 'text two', A3: { formula: 'A1&A2', value: 'both' } } },
        { name: 'T', cells: { A1: 'a', B1: 'b' }, merges: ['A5:B5', 'A6:B6'] },
        { name: 'U', cells: { A1: 'h', A2: 1 }, tables: [{ name: 'T1', ref: 'A1:A2', columns: ['h'] }] },
      ],
      names: { one: '1', two: '2' },
    });
    const parts = await openPackage(bytes);
    const bounded = (limits: Partial<typeof READER_LIMITS>) =>
      outcome(async () => readWorkbook(parts, { ...READER_LIMITS, ...limits }));
    expect(await bounded({})).toBeUndefined();
    expect(await bounded({ sheets: 2 })).toBe('tooManySheets');
    expect(await bounded({ cells: 4 })).toBe('tooManyCells');
    expect(await bounded({ strings: 2 })).toBe('tooManyStrings');
    expect(await bounded({ stringChars: 10 })).toBe('tooManyStrings');
    expect(await bounded({ names: 1 })).toBe('tooManyNames');
    expect(await bounded({ tables: 0 })).toBe('tooManyTables');
    expect(await bounded({ blocks: 1 })).toBe('tooManyBlocks');
    expect(await bounded({ formulaChars: 4 })).toBe('formulaTooLong');
    expect(await bounded({ formulaTotalChars: 4 })).toBe('tooManyCells');
    expect(await bounded({ xmlDepth: 4 })).toBe('tooDeep');
    expect(await bounded({ xmlAttributes: 2 })).toBe('damaged');
  });

  it('never fails otherwise, wherever it is cut or changed', async () => {
    const whole = await buildWorkbook({
      sheets: [{ name: 'S', cells: { A1: 1, B1: { formula: 'A1', value: 1 } }, notes: { A1: 'n' } }],
    });
    for (let at = 0; at < whole.length; at += 7) {
      await outcome(async () => readWorkbook(await openPackage(whole.subarray(0, at))));
      const changed = Buffer.from(whole);
      changed[at] = changed[at]! ^ (1 << (at % 8));
      await outcome(async () => readWorkbook(await openPackage(changed)));
    }
  });

  it('may separate folders by backslashes, as old exporters did', async () => {
    const entries = Object.entries(workbookParts({ sheets: [{ name: 'S' }] }));
    const bytes = rawZip(entries.map(([path, data]) => ({ path: path.replaceAll('/', '\\'), data })));
    expect(readWorkbook(await openPackage(bytes)).sheets[0]!.name).toBe('S');
  });
});
