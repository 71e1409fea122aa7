/** Finds blocks under header rows, the content of their columns, and which columns people fill in. */
import { tableBody } from '../definitions/blocks.ts';
import type { TableModel } from '#server/calculation/reader/workbook-model.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { bodyRow, isHeaderAgain } from './body-rows.ts';
import type { TextRun } from './body-rows.ts';
import { Content } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';
import { isSerialWord } from './words.ts';

export interface BlockColumn {
  col: number;
  header: string;
  /** 'single' means values that are separate inputs, 'label' the texts that name them. */
  kind: 'formula' | 'typed' | 'empty' | 'single' | 'label';
  /** Number of typed-in numbers and dates. */
  values: number;
  /** The first row of the column, or of its formulas below a typed-in value that other formulas read too. */
  start: number;
  /** True if the column counts 1, 2, 3 … down the rows. */
  isSerial: boolean;
  /** True if formulas are between the typed-in values, not only above or below them. */
  isMixed: boolean;
}

export interface HeaderBlock {
  sheet: number;
  headerRow: number;
  /** The rows below the headers, without totals. */
  body: CellBlock;
  columns: BlockColumn[];
  /** The Excel table that the block is, if any. */
  table: TableModel | null;
}

/** Minimum share of distinct texts among the headers, and of filled cells in a full column. */
const DISTINCT = 0.8;
const MIN_ROWS = 2;
/** If at least this share of a column's values is read individually, the column is not part of a table. */
const FORM_SHARE = 0.5;
/** Several columns with at least this many values are easier to fill in as one table, however formulas read them. */
const MATRIX_ROWS = 3;
/** Rows with at least this many texts before their values are records. */
const RECORD_TEXTS = 2;
/** A text merged over more rows than this is no header. */
const SIDE_ROWS = 3;
/** In blocks of at most this many rows, a column that mixes values and formulas is a form. */
const SHORT = 25;

/** Finds Excel tables first. Each cell belongs to at most one block. */
export function headerBlocks(grid: SheetGrid, tables: readonly TableModel[]): HeaderBlock[] {
  const blocks: HeaderBlock[] = [];
  for (const table of tables) {
    if (table.sheet !== grid.index || table.headerRows === 0) continue;
    const body = tableBody(table);
    if (body.bottom < body.top) continue;
    const columns = table.columns.map(({ name, calculatedFormula }, index) => {
      const column = columnOf(grid, body, body.left + index, name);
      // Typed-in values replace a column's formula.
      return calculatedFormula === undefined || column.kind !== 'empty'
        ? column
        : { ...column, kind: 'formula' as const };
    });
    const block = { sheet: grid.index, headerRow: table.block.top, body, columns, table };
    blocks.push(block);
    claimColumns(grid, block);
  }
  const scannedUntil = new Map<number, number>();
  for (const run of textRuns(grid)) {
    if ((scannedUntil.get(run.left) ?? -1) >= run.row) continue;
    const block = blockUnder(grid, run, scannedUntil);
    if (!block) continue;
    blocks.push(block);
    claimColumns(grid, block);
  }
  return blocks;
}

/**
 * Leaves columns unclaimed for single values if formulas read their values individually or are mixed with them. Claims
 * all other columns for the block.
 */
function claimColumns(grid: SheetGrid, block: HeaderBlock): void {
  const { body, headerRow, columns, table } = block;
  const isShort = body.bottom - body.top < SHORT;
  const isForm = columns.map(
    (column) => column.kind === 'typed' && ((isShort && column.isMixed) || (!table && isOfSingles(grid, body, column))),
  );
  const forms = isForm.filter(Boolean).length;
  const rows = body.bottom - body.top + 1;
  const isFull = columns.every(({ values }, index) => !isForm[index] || values >= DISTINCT * rows);
  const isMatrix = (forms > 1 || isOfRecords(columns, isForm)) && rows >= MATRIX_ROWS && isFull;
  if (forms === 0 || isMatrix) {
    if (table) return grid.claim(table.block);
    grid.claim({ ...body, top: headerRow, bottom: body.top - 1 });
    for (const { col, start } of columns) grid.claim({ ...body, top: start, left: col, right: col });
    return;
  }
  for (const [index, column] of columns.entries()) {
    const { col, values, start } = column;
    if (isForm[index]) column.kind = 'single';
    else if (column.kind === 'typed' && values === 0) column.kind = 'label';
    else {
      grid.claim({ top: headerRow, bottom: body.top - 1, left: col, right: col });
      grid.claim({ ...body, top: start, left: col, right: col });
    }
  }
}

/**
 * Returns true if several columns of texts before the values describe each row, such as first and last names: the rows
 * are records. A column of texts after the values has their units or notes.
 */
function isOfRecords(columns: readonly BlockColumn[], isForm: readonly boolean[]): boolean {
  const before = columns.slice(0, isForm.indexOf(true));
  return before.filter(({ kind, values }) => kind === 'typed' && values === 0).length >= RECORD_TEXTS;
}

/** Returns true if formulas read at least FORM_SHARE of the values individually. */
function isOfSingles(grid: SheetGrid, { top, bottom }: CellBlock, { col, values }: BlockColumn): boolean {
  let fixed = 0;
  for (let row = top; row <= bottom; row++) {
    const at = grid.at(row, col);
    if (at < 0 || !grid.isValue(at)) continue;
    if (grid.fixedReads[at]! > 0 && grid.sweptReads[at] === 0) fixed++;
  }
  return values > 0 && fixed >= FORM_SHARE * values;
}

/** Yields runs of at least two adjacent texts that no candidate has claimed. */
function* textRuns(grid: SheetGrid): Generator<TextRun> {
  for (let at = 0; at < grid.count;) {
    const row = grid.row(at);
    let run: TextRun | null = null;
    let texts: string[] = [];
    for (; at < grid.count && grid.row(at) === row; at++) {
      const col = grid.col(at);
      if (grid.isCovered(row, col)) {
        if (run && run.right === col - 1 && grid.mergeAt(row, col)?.top === row) run.right = col;
        continue;
      }
      const text = grid.text(at);
      const isHeader = text !== '' && grid.claimed[at] === 0 && !text.endsWith(':') && !isSideText(grid, row, col);
      if (run && isHeader && run.right === col - 1) {
        run.right = col;
        texts.push(text);
        continue;
      }
      if (run && areHeaders(texts)) yield { ...run, texts: texts.length };
      run = isHeader ? { row, left: col, right: col, texts: 1 } : null;
      texts = isHeader ? [text] : [];
    }
    if (run && areHeaders(texts)) yield { ...run, texts: texts.length };
  }
}

/** Returns true for a text merged down the left of the rows that it names. */
const isSideText = (grid: SheetGrid, row: number, col: number): boolean => {
  const merge = grid.mergeAt(row, col);
  return merge !== null && merge.bottom - merge.top >= SIDE_ROWS;
};

const areHeaders = (texts: readonly string[]): boolean =>
  texts.length >= 2 && new Set(texts).size >= DISTINCT * texts.length;

function blockUnder(grid: SheetGrid, run: TextRun, scannedUntil: Map<number, number>): HeaderBlock | null {
  const { row: headerRow, left, right } = run;
  const merge = grid.mergeAt(headerRow, left);
  const top = merge ? merge.bottom + 1 : headerRow + 1;
  const widened = withRowLabels(grid, run, top);
  const hadValues = new Map<number, number>();
  let bottom = top - 1;
  let hasNumbers = false;
  for (let row = top; ; row++) {
    const found = bodyRow(grid, row, { left: widened, right, texts: run.texts }, hadValues);
    if (!found || isHeaderAgain(found, run, row > top && !hasNumbers)) break;
    if (found.isAllTexts && repeatsHeaders(grid, run, row)) break;
    if (row === top && found.isAllTexts && grid.contentAt(row, right + 1) === Content.Text) break;
    hasNumbers ||= found.hasNumbers;
    bottom = row;
  }
  for (let col = left; col <= right; col++) scannedUntil.set(col, bottom);
  if (bottom - top + 1 < MIN_ROWS || !hasNumbers) return null;
  const body = { top, left: widened, bottom, right };
  if (isLabelled(grid, run, body)) return null;
  const columns: BlockColumn[] = [];
  for (let col = widened; col <= right; col++) {
    columns.push(columnOf(grid, body, col, grid.text(grid.at(headerRow, col))));
  }
  return { sheet: grid.index, headerRow, body, columns, table: null };
}

/** Returns true if at least two columns repeat their header, as for the second week of a timesheet. */
function repeatsHeaders(grid: SheetGrid, { row: headerRow, left, right }: TextRun, row: number): boolean {
  let repeated = 0;
  for (let col = left; col <= right; col++) {
    const text = grid.text(grid.at(row, col));
    if (text !== '' && text === grid.text(grid.at(headerRow, col))) repeated++;
  }
  return repeated >= 2;
}

/**
 * Returns true for two texts above a column of labels and a column that mixes numbers and texts: the two texts are then
 * a label and its value too.
 */
function isLabelled(grid: SheetGrid, { row, left, right, texts }: TextRun, { top, bottom }: CellBlock): boolean {
  if (texts !== 2 || bottom - top > SHORT) return false;
  if (grid.fixedReads[grid.at(row, right)]! > 0) return true;
  let labels = 0;
  let numbers = 0;
  let words = 0;
  for (let below = top; below <= bottom; below++) {
    if (grid.contentAt(below, left) === Content.Text) labels++;
    const content = grid.contentAt(below, right);
    if (content === Content.Text) words++;
    else if (content !== Content.Blank && content !== Content.Formula) numbers++;
  }
  return labels > bottom - top && numbers > 0 && words > 0;
}

/** Includes the column of labels to the left of the headers, although it has no header. */
function withRowLabels(grid: SheetGrid, { row, left }: TextRun, top: number): number {
  const isOpen = left > 0 && grid.contentAt(row, left - 1) === Content.Blank;
  const hasLabels = isOpen && [top, top + 1].every((below) => grid.contentAt(below, left - 1) === Content.Text);
  return hasLabels ? left - 1 : left;
}

function columnOf(grid: SheetGrid, body: CellBlock, col: number, header: string): BlockColumn {
  let formulas = 0;
  let values = 0;
  let texts = 0;
  let isCounting = true;
  let isMixed = false;
  let isAfterFormula = false;
  let previous: number | null = null;
  for (let row = body.top; row <= body.bottom; row++) {
    const at = grid.at(row, col);
    const content = grid.content(at);
    if (content === Content.Formula) formulas++;
    else if (content === Content.Text) texts++;
    else if (content !== Content.Blank) values++;
    if (content === Content.Formula) isAfterFormula ||= values > 0;
    else if (content !== Content.Blank && content !== Content.Text) isMixed ||= isAfterFormula;
    const number = content === Content.Number ? grid.number(at) : null;
    isCounting &&= number !== null && (previous === null ? Number.isInteger(number) : number === previous + 1);
    previous = number;
  }
  const kind = formulas > 0 && formulas >= values + texts ? 'formula' : values + texts > 0 ? 'typed' : 'empty';
  const isSerial = values >= 2 && isCounting && (isSerialWord(header) || header === '' || previous === values);
  const first = grid.at(body.top, col);
  const isOwn = kind === 'formula' && grid.isValue(first) && grid.fixedReads[first]! > 0;
  const start = isOwn && grid.contentAt(body.top + 1, col) === Content.Formula ? body.top + 1 : body.top;
  return { col, header, kind, values, start, isSerial, isMixed };
}

/** Returns runs of adjacent columns to fill in. Serial numbers at their edges belong to the workbook. */
export function typedRuns({ columns }: HeaderBlock): BlockColumn[][] {
  const runs: BlockColumn[][] = [];
  let run: BlockColumn[] = [];
  const close = (): void => {
    while (run[0]?.isSerial) run.shift();
    while (run.at(-1)?.kind === 'empty' && run.at(-1)?.header === '') run.pop();
    if (run.length > 0) runs.push(run);
    run = [];
  };
  for (const column of columns) {
    if (column.kind === 'typed' || column.kind === 'empty') run.push(column);
    else close();
  }
  close();
  return runs;
}
