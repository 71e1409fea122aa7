/**
 * A document of this thread's office process. Edits are sent and results are read in blocks; results are cached until
 * the next change.
 */
import type { CellBlock, CellPosition } from '#shared/codecs/cell-address.ts';
import { formatCell } from '#shared/codecs/cell-address.ts';
import type { CellEdit } from '#server/calculation/engine.ts';
import { CellError, cellError } from '#server/calculation/values/cell-value.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { editBlocks } from './edit-blocks.ts';
import type { FormulaWrite } from './messages.ts';
import type { OfficeClient } from './office-client.ts';
import { OfficeGone } from './office-client.ts';
import { CIRCULAR, errorCode } from './results.ts';

/** Rows read per request. */
const CHUNK_ROWS = 1024;

/** What a document needs to know about its workbook. */
export interface BookShape {
  sheetNames: readonly string[];
  /** Returns true if a formula determines the cell's value. */
  isFormula(sheet: number, row: number, col: number): boolean;
  /** The columns of a sheet that contain formulas, and its last row with one. */
  extent(sheet: number): { left: number; right: number; bottom: number };
}

interface Chunk {
  rows: CellValue[][];
  left: number;
  /** Cells of circular references, as 'row:col'. */
  circular: Set<string>;
}

export class OfficeBook {
  private readonly client: OfficeClient;
  private readonly shape: BookShape;
  private readonly document: number;
  private readonly chunks = new Map<string, Chunk>();
  private isNew = true;

  private constructor(client: OfficeClient, shape: BookShape, document: number) {
    this.client = client;
    this.shape = shape;
    this.document = document;
  }

  static open(client: OfficeClient, shape: BookShape, file: Uint8Array, timeLimit?: number): OfficeBook {
    return new OfficeBook(client, shape, client.call<'open'>({ kind: 'open', file }, timeLimit));
  }

  write(edits: readonly CellEdit[]): void {
    this.chunks.clear();
    const data = editBlocks(edits.filter(({ value }) => formulaOf(value) === null));
    const formulas = edits.flatMap(({ sheet, row, col, value }): FormulaWrite[] => {
      const text = formulaOf(value);
      return text === null ? [] : [{ sheet, block: { top: row, left: col, bottom: row, right: col }, rows: [[text]] }];
    });
    if (data.length + formulas.length === 0) return;
    this.client.call<'write'>({ kind: 'write', document: this.document, data, formulas });
  }

  calculate(timeLimit?: number): void {
    this.chunks.clear();
    this.client.call<'calculate'>({ kind: 'calculate', document: this.document, all: this.isNew }, timeLimit);
    this.isNew = false;
  }

  value(sheet: number, row: number, col: number): CellValue {
    const { rows, left } = this.chunk(sheet, row);
    return rows[row % CHUNK_ROWS]?.[col - left] ?? null;
  }

  isCircular(sheet: number, row: number, col: number): boolean {
    return this.chunk(sheet, row).circular.has(`${row}:${col}`);
  }

  close(): void {
    try {
      this.client.call<'close'>({ kind: 'close', document: this.document });
    } catch (error) {
      if (!(error instanceof OfficeGone)) throw error;
    }
  }

  private chunk(sheet: number, row: number): Chunk {
    const top = row - (row % CHUNK_ROWS);
    const key = `${sheet}:${top}`;
    let chunk = this.chunks.get(key);
    if (!chunk) this.chunks.set(key, (chunk = this.read(sheet, top)));
    return chunk;
  }

  private read(sheet: number, top: number): Chunk {
    const { left, right, bottom } = this.shape.extent(sheet);
    const block: CellBlock = { top, left, bottom: Math.max(top, Math.min(bottom, top + CHUNK_ROWS - 1)), right };
    const answer = this.client.call<'read'>({ kind: 'read', document: this.document, sheet, block });
    const errors: CellPosition[] = [];
    const logical: CellPosition[] = [];
    const rows = answer.map((values, y) =>
      values.map((value, x): CellValue => {
        const at = { row: top + y, col: left + x };
        if (typeof value === 'number') {
          if ((value === 0 || value === 1) && this.shape.isFormula(sheet, at.row, at.col)) logical.push(at);
          return value;
        }
        if (typeof value === 'string') return value;
        errors.push(at);
        return null;
      }),
    );
    const circular = this.fillErrors(sheet, errors, rows, block);
    this.fillLogical(sheet, logical, rows, block);
    return { rows, left, circular };
  }

  private fillErrors(sheet: number, cells: CellPosition[], rows: CellValue[][], { top, left }: CellBlock): Set<string> {
    const circular = new Set<string>();
    if (cells.length === 0) return circular;
    const numbers = this.client.call<'errors'>({ kind: 'errors', document: this.document, sheet, cells });
    cells.forEach(({ row, col }, at) => {
      if (numbers[at] === CIRCULAR) circular.add(`${row}:${col}`);
      if (numbers[at] !== 0) rows[row - top]![col - left] = cellError(errorCode(numbers[at]!)) ?? null;
    });
    return circular;
  }

  private fillLogical(sheet: number, cells: CellPosition[], rows: CellValue[][], { top, left }: CellBlock): void {
    if (cells.length === 0) return;
    const name = this.shape.sheetNames[sheet]!.replaceAll("'", "''");
    const answers = this.client.call<'logical'>({
      kind: 'logical',
      document: this.document,
      scratch: this.shape.sheetNames.length,
      references: cells.map(({ row, col }) => `$'${name}'.${formatCell(row, col)}`),
    });
    cells.forEach(({ row, col }, at) => {
      const values = rows[row - top]!;
      if (answers[at] === true) values[col - left] = values[col - left] === 1;
    });
  }
}

/**
 * Returns a formula for constants that LibreOffice cannot take as data (logical values, errors, empty text); null for
 * all others.
 */
function formulaOf(value: CellValue): string | null {
  if (typeof value === 'boolean') return value ? '=TRUE()' : '=FALSE()';
  if (value instanceof CellError) return ERROR_FORMULAS[value.code] ?? '=NA()';
  return value === '' ? '=""' : null;
}

const ERROR_FORMULAS: Record<string, string> = {
  '#N/A': '=NA()',
  '#DIV/0!': '=1/0',
  '#VALUE!': '="a"*1',
  '#NUM!': '=SQRT(-1)',
};
