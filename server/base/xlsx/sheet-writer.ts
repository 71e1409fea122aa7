/** Writes one sheet of a new workbook. */
import { PassThrough, type Readable } from 'node:stream';
import { rowXml, type CellContent } from './cell-xml.ts';
import type { Note } from './notes.ts';
import { afterRows, beforeRows, SHEET_END, type SheetOptions } from './sheet-xml.ts';
import type { CellStyle, Styles } from './styles.ts';

/** Rows of a sheet. Source: Excel's specifications and limits. */
export const MAX_SHEET_ROWS = 1_048_576;
/** Characters of rows that are passed on together. */
const PIECE_LENGTH = 32 * 1024;

export interface SheetWriter {
  /**
   * Adds a row, and waits until the file was read far enough. Cells have the format of their column if `styleAt`
   * returns no style. Rejects if the output was destroyed.
   */
  addRow(cells: readonly CellContent[], styleAt?: (col: number) => CellStyle | undefined): Promise<void>;
  /** Adds a row of bold headings. */
  addHeadings(cells: readonly CellContent[]): Promise<void>;
  /** Adds a note to a cell, whose position is counted from 0. */
  addNote(row: number, col: number, text: string): void;
  end(): void;
}

/** `onEnd` receives the notes when the sheet ends. `part` is destroyed with the output. */
export function openSheet(
  options: SheetOptions,
  styles: Styles,
  output: Readable,
  onEnd: (notes: readonly Note[]) => void,
): { part: Readable; writer: SheetWriter } {
  const part = new PassThrough();
  const notes: Note[] = [];
  const columnStyles = (options.columns ?? []).map(({ format }) => styles.indexOf({ format }));
  let piece = beforeRows(options, styles);
  let row = 0;
  const destroyPart = (): void => void part.destroy();
  output.once('close', destroyPart);
  // Nobody would ever read this part.
  if (output.destroyed) destroyPart();

  const addRow: SheetWriter['addRow'] = async (cells, styleAt) => {
    if (row === MAX_SHEET_ROWS) throw new RangeError(`a sheet has at most ${MAX_SHEET_ROWS} rows`);
    row += 1;
    piece += rowXml(row, cells, (col) => {
      const style = styleAt?.(col);
      return style === undefined ? (columnStyles[col] ?? 0) : styles.indexOf(style);
    });
    if (piece.length >= PIECE_LENGTH) {
      part.write(piece);
      piece = '';
    }
    if (part.writableNeedDrain) await drainOrClose(part);
    if (part.destroyed) throw new Error('nobody reads the workbook anymore');
  };
  return {
    part,
    writer: {
      addRow,
      addHeadings: (cells) => addRow(cells, () => ({ isBold: true })),
      addNote: (noteRow, col, text) => void notes.push({ row: noteRow, col, text }),
      end: () => {
        output.off('close', destroyPart);
        // The id is that of the first relationship of the sheet.
        const drawing = notes.length > 0 ? '<legacyDrawing r:id="rId1"/>' : '';
        part.end(piece + afterRows(options) + drawing + SHEET_END);
        onEnd(notes);
      },
    },
  };
}

function drainOrClose(stream: PassThrough): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = (): void => {
    stream.off('drain', done).off('close', done);
    resolve();
  };
  stream.on('drain', done).on('close', done);
  return promise;
}
