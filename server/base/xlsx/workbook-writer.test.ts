import { buffer } from 'node:stream/consumers';
import excelJs from 'exceljs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import { openPackage } from '#server/executors/workbook/package.ts';
import { value } from '#test/support/read-sheets.ts';
import { workbookProblems } from '#test/support/workbook-schema.ts';
import type { CellContent } from './cell-xml.ts';
import { MAX_SHEET_ROWS } from './sheet-writer.ts';
import { buildWorkbook, streamWorkbook } from './stream-workbook.ts';
import { openWorkbook } from './workbook-writer.ts';

const FORMATS = ['0.00', 'd/mmm/yyyy', '@', 'mm-dd-yy', undefined];
const ROWS: CellContent[][] = [
  [1.5, 45_658, '007', 45_658.25, true],
  ['=1+1', null, ' lead and trail ', 12, false],
  [{ error: '#N/A' }, 0.1, '<&>"\'', null, 'two\nlines'],
  [-1e300, null, null, null, 'end'],
];
const RULE = { operator: 'between', formulae: [0, 99] } as const;

async function ours(): Promise<Uint8Array> {
  return buildWorkbook(async (workbook) => {
    const sheet = workbook.addSheet({
      name: 'A & B',
      columns: FORMATS.map((format, index) => ({ width: 10 + index, format })),
      frozenRows: 1,
      orientation: 'landscape',
      validations: [
        {
          range: 'A2:A9',
          type: 'decimal',
          operator: RULE.operator,
          formulas: RULE.formulae,
          allowsBlank: true,
          error: 'no',
        },
        { range: 'C2:C9', type: 'list', formulas: ['Lists!$A$1:$A$2'], allowsBlank: false, error: 'no "<' },
      ],
    });
    await sheet.addHeadings(['A', 'B', 'C', 'D', 'E']);
    await sheet.addRow([]);
    for (const cells of ROWS) await sheet.addRow(cells, (col) => (col === 4 ? { fill: 'FFF2CC' } : undefined));
    sheet.addNote(0, 2, 'a note\nof two lines');
    sheet.end();
    const lists = workbook.addSheet({ name: 'Lists', isHidden: true });
    for (const item of ['x', 'y']) await lists.addRow([item]);
    lists.end();
  });
}

/** The same workbook by another program. */
async function byExcelJs(): Promise<Uint8Array> {
  const workbook = new excelJs.Workbook();
  const sheet = workbook.addWorksheet('A & B', { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.columns = FORMATS.map((numFmt, index) => ({ width: 10 + index, style: numFmt ? { numFmt } : {} }));
  sheet.addRow(['A', 'B', 'C', 'D', 'E']).font = { bold: true };
  sheet.addRow([]);
  for (const cells of ROWS) {
    const row = sheet.addRow(cells);
    row.getCell(5).fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFFFF2CC' } };
  }
  sheet.getCell('C1').note = 'a note\nof two lines';
  sheet.pageSetup = { orientation: 'landscape', fitToPage: true, fitToHeight: 0 };
  const { dataValidations } = sheet as unknown as { dataValidations: { add(range: string, rule: object): void } };
  const shared = { showErrorMessage: true, error: 'no' };
  dataValidations.add('A2:A9', { ...shared, ...RULE, formulae: [...RULE.formulae], type: 'decimal', allowBlank: true });
  dataValidations.add('C2:C9', { ...shared, type: 'list', formulae: ['Lists!$A$1:$A$2'], error: 'no "<' });
  workbook.addWorksheet('Lists', { state: 'hidden' }).addRows([['x'], ['y']]);
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

interface View {
  state: string;
  ySplit?: number;
}

/** Returns what exceljs reads from a workbook. */
async function contentOf(bytes: Uint8Array) {
  const workbook = new excelJs.Workbook();
  await workbook.xlsx.load(Buffer.from(bytes) as never);
  return workbook.worksheets.map((sheet) => {
    const cells: unknown[] = [];
    sheet.eachRow((row) =>
      row.eachCell((cell) => {
        const { address, type, value: content, note, numFmt, font, fill } = cell;
        const text = typeof note === 'string' ? note : note?.texts?.map((part) => part.text).join('');
        const color = fill?.type === 'pattern' ? fill.fgColor?.argb : undefined;
        // exceljs gives headings the format of their column, which their texts do not need.
        cells.push({
          address,
          type,
          content,
          text,
          color,
          isBold: font?.bold ?? false,
          numFmt: row.number === 1 ? '' : numFmt,
        });
      }),
    );
    const { name, state, pageSetup } = sheet;
    const { orientation, fitToPage, fitToHeight } = pageSetup;
    // The library's types declare neither validations nor that there may be no views.
    const { model } = sheet as unknown as { model: { dataValidations: unknown; views: View[] | null } };
    const widths = (sheet.columns ?? []).map(({ width }) => width);
    const isFrozen = model.views?.some((view) => view.state === 'frozen' && view.ySplit === 1) ?? false;
    return {
      name,
      state,
      isFrozen,
      page: { orientation, fitToPage, fitToHeight },
      widths,
      rules: model.dataValidations,
      cells,
    };
  });
}

async function read(bytes: Uint8Array) {
  return readWorkbook(await openPackage(bytes));
}

describe('a new workbook', () => {
  it('is valid, and reads like the one of another program', async () => {
    const bytes = await ours();
    expect(await workbookProblems(bytes)).toEqual([]);
    const [own, other] = [await contentOf(bytes), await contentOf(await byExcelJs())];
    // The other program states its defaults where ours says nothing.
    other[1] = { ...other[1]!, page: own[1]!.page };
    expect(own).toEqual(other);
    expect(own.map(({ isFrozen }) => isFrozen)).toEqual([true, false]);
  });

  it('preserves every text, and never makes a formula of one', async () => {
    const texts = fc.array(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('=1', '', ' ', '_x0041_', '\r\n\u0001', '\ud800')),
      {
        minLength: 1,
        maxLength: 20,
      },
    );
    await fc.assert(
      fc.asyncProperty(texts, async (row) => {
        const bytes = await buildWorkbook(async (workbook) => {
          const sheet = workbook.addSheet({ name: 'S' });
          await sheet.addRow(row);
          sheet.end();
        });
        const model = await read(bytes);
        expect(row.map((_, col) => value(model, `${String.fromCharCode(65 + col)}1`))).toEqual(
          row.map((text) => text.toWellFormed()),
        );
      }),
      { numRuns: 20 },
    );
  });

  it('has errors that every Excel knows, and the others as texts', async () => {
    const bytes = await buildWorkbook(async (workbook) => {
      const sheet = workbook.addSheet({ name: 'S' });
      await sheet.addRow([{ error: '#DIV/0!' }, { error: '#SPILL!' }, Number.NaN]);
      sheet.end();
    });
    const sheet = (await contentOf(bytes))[0]!;
    expect(sheet.cells).toMatchObject([
      { content: { error: '#DIV/0!' } },
      { content: '#SPILL!' },
      { content: { error: '#NUM!' } },
    ]);
  });
});

describe('a streamed workbook', () => {
  it('refuses more rows than a sheet has', async () => {
    const written = buildWorkbook(async (workbook) => {
      const sheet = workbook.addSheet({ name: 'S' });
      for (let row = 0; row <= MAX_SHEET_ROWS; row += 1) await sheet.addRow([]);
    });
    await expect(written).rejects.toThrow('a sheet has at most 1048576 rows');
  });

  it('is written only as fast as it is read, and its rows end when the reader stops', async () => {
    let rows = 0;
    let ended = false;
    async function* endless(): AsyncGenerator<CellContent[]> {
      try {
        for (;;) {
          yield [(rows += 1), Math.random()];
          if (rows % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        ended = true;
      }
    }
    const stream = streamWorkbook(async (workbook) => {
      const sheet = workbook.addSheet({ name: 'S' });
      for await (const cells of endless()) await sheet.addRow(cells);
    });
    await stream.next();
    let before = -1;
    // Rows no longer arrive once all buffers are full.
    await expect.poll(() => before === (before = rows), { timeout: 20_000, interval: 200 }).toBe(true);
    expect(rows).toBeLessThan(100_000);
    await stream.return(undefined);
    await expect.poll(() => ended).toBe(true);
  });

  it('refuses rows if the reader stopped before the first sheet', async () => {
    const workbook = openWorkbook();
    workbook.output.destroy();
    const sheet = workbook.addSheet({ name: 'S' });
    await expect(sheet.addRow(['x'])).rejects.toThrow('nobody reads the workbook anymore');
  });

  it('fails with the error of its rows', async () => {
    const stream = streamWorkbook(async (workbook) => {
      const sheet = workbook.addSheet({ name: 'S' });
      await sheet.addRow([1]);
      throw new Error('the database is gone');
    });
    await expect(buffer(stream)).rejects.toThrow('the database is gone');
  });
});
