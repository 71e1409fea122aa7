/** Writes the results of a run to new sheets, in parts that Excel accepts, and verifies what Excel stored. */
import { formatBlock, formatCell } from '#shared/codecs/cell-address.ts';
import type { Output } from '#shared/contract/parameters.ts';
import type { ExcelContext, ExcelWorksheet } from './excel-types.ts';
import { excel, has } from './office.ts';
import { freeSheetName, planSheets, type Block, type PlannedCell } from './result-sheets.ts';
import { countsFrom1904 } from './workbook.ts';

export interface Written {
  sheets: string[];
}

export interface WriteOptions {
  /** Name of the sheet, as far as Excel allows it. */
  name: string;
  /** Rows of texts above the results. */
  heads: string[][];
  outputs: readonly Output[];
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Excel stored a different value in a cell than the one written. */
export class ValueNotStored extends Error {
  override readonly name = 'ValueNotStored';
  readonly cell: string;

  constructor(cell: string) {
    super(cell);
    this.cell = cell;
  }
}

/** Maximum number of cells and of text characters per part: Excel on the web accepts 5 MB at a time. */
const CELLS = 10_000;
const CHARACTERS = 1_000_000;
const TOO_MUCH = /RequestPayloadSizeLimitExceeded|ResponsePayloadSizeLimitExceeded/;

/**
 * Throws Excel's error, ValueNotStored, ResultsDoNotFit, or the reason of the signal; sheets already created are deleted
 * first.
 */
export function writeResults(options: WriteOptions): Promise<Written> {
  const { name, heads, outputs, onProgress, signal } = options;
  return excel().run(async (context) => {
    const { worksheets } = context.workbook;
    const plans = planSheets(heads, outputs, await countsFrom1904(context));
    worksheets.load('items/name');
    await context.sync();
    const taken = worksheets.items.map((sheet) => sheet.name);
    const total = plans.reduce((sum, { rows }) => sum + rows, 0);
    const addedSheets: ExcelWorksheet[] = [];
    const sheets: string[] = [];
    let done = 0;
    try {
      for (const plan of plans) {
        const sheetName = freeSheetName(name, taken);
        taken.push(sheetName);
        const sheet = worksheets.add(sheetName);
        await context.sync();
        addedSheets.push(sheet);
        sheets.push(sheetName);
        for (const block of plan.blocks) {
          await writeBlock(context, { sheet, block, signal }, (rows) => onProgress((done += rows) / total));
        }
      }
      await finish(context, addedSheets);
    } catch (error) {
      for (const sheet of addedSheets) sheet.delete();
      await context.sync();
      throw error;
    }
    return { sheets };
  });
}

interface Part {
  sheet: ExcelWorksheet;
  block: Block;
  signal: AbortSignal;
}

async function writeBlock(context: ExcelContext, part: Part, onRows: (rows: number) => void): Promise<void> {
  const { block, signal } = part;
  let maxRows = Math.max(1, Math.floor(CELLS / block.columns));
  for (let row = 0; row < block.rows;) {
    signal.throwIfAborted();
    const rows = takeRows(block, row, maxRows);
    try {
      await writeRows(context, part, row, rows);
    } catch (error) {
      if (!TOO_MUCH.test(String((error as { code?: unknown }).code)) || rows.length === 1) throw error;
      maxRows = Math.floor(rows.length / 2);
      continue;
    }
    row += rows.length;
    onRows(rows.length);
  }
}

function takeRows(block: Block, from: number, maxRows: number): PlannedCell[][] {
  const rows: PlannedCell[][] = [];
  let characters = 0;
  for (let row = from; row < block.rows && rows.length < maxRows && characters < CHARACTERS; row += 1) {
    const cells = block.rowAt(row);
    for (const { written } of cells) characters += typeof written === 'string' ? written.length : 0;
    rows.push(cells);
  }
  return rows;
}

async function writeRows(
  context: ExcelContext,
  { sheet, block }: Part,
  from: number,
  rows: PlannedCell[][],
): Promise<void> {
  const top = block.top + from;
  const range = sheet.getRange(formatBlock({ top, left: 0, bottom: top + rows.length - 1, right: block.columns - 1 }));
  // Set before the values, because Excel would otherwise interpret them with the previous format.
  if (rows.some((cells) => cells.some(({ format }) => format !== null)))
    range.numberFormat = rows.map((cells) => cells.map(({ format }) => format));
  range.values = rows.map((cells) => cells.map(({ written }) => written));
  if (block.isHeading) range.format.font.bold = true;
  range.load('values');
  await context.sync();
  for (const [row, cells] of rows.entries()) {
    for (const [col, { expected }] of cells.entries()) {
      if (!isSame(expected, range.values[row]?.[col])) throw new ValueNotStored(formatCell(top + row, col));
    }
  }
}

/** Excel on the web reports 15 digits of a number. */
function isSame(expected: string | number | boolean, found: unknown): boolean {
  if (typeof expected !== 'number' || typeof found !== 'number') return expected === found;
  return Math.abs(expected - found) <= Math.abs(expected) * 1e-14;
}

async function finish(context: ExcelContext, [first, ...others]: ExcelWorksheet[]): Promise<void> {
  if (has('functions')) {
    for (const sheet of [first!, ...others]) sheet.getRange('A:Z').format.autofitColumns();
  }
  first!.activate();
  await context.sync();
}
