/**
 * Rewrites the cells of a sheet part around an insertion: cells move, formulas follow, everything else stays as in the
 * file.
 */
import type { XmlScanner } from '#server/calculation/reader/xml-scanner.ts';
import { XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import { escapeXml } from '#shared/codecs/xml-escapes.ts';
import { decodeUtf8 } from '#server/calculation/reader/xml-text.ts';
import { insertedBlock, insertedRow, isWholeRows } from '#server/calculation/tables/insert-cells.ts';
import type { CellInsertion } from '#server/calculation/tables/insert-cells.ts';
import { formatBlock, formatCell, parseBlock } from '#shared/codecs/cell-address.ts';
import { attributeEdit } from '../byte-edits.ts';
import type { ByteEdit } from '../byte-edits.ts';
import { applyEdits } from '../byte-edits.ts';
import { nextCell } from '../part-edits.ts';
import type { FormulaChange, FormulaChanges } from './moved-formulas.ts';

export interface CellMoves {
  changes: FormulaChanges;
  /** The insertion, if it is on this sheet; otherwise null. */
  own: CellInsertion | null;
  /** Styles of the cells of a new row, without columns that get their own. */
  newRowStyles: ReadonlyMap<number, number>;
}

/** A row of the part as it is written after the insertion. */
interface MovedRow {
  /** As in the file, without its number and `spans`. */
  attributes: string;
  cells: { col: number; text: string }[];
}

/**
 * Maximum number of formatted cells beside a table. Beyond it, new rows are plain there, so that the file does not grow
 * needlessly.
 */
const MAX_STYLED_CELLS = 200_000;

/** Processes <sheetData> from its Open to its Close, and adds the edits that its rows need. */
export function moveCells(xml: XmlScanner, moves: CellMoves, edits: ByteEdit[]): void {
  new CellMover(xml, moves, edits).move();
}

class CellMover {
  private readonly xml: XmlScanner;
  private readonly moves: CellMoves;
  private readonly edits: ByteEdit[];
  private readonly moved = new Map<number, MovedRow>();
  private readonly prefix: string;
  /** Start of the first row below the insertion. */
  private from = -1;
  private row = -1;
  /** Height and format of the row above the insertion. */
  private rowAbove = '';

  constructor(xml: XmlScanner, moves: CellMoves, edits: ByteEdit[]) {
    this.xml = xml;
    this.moves = moves;
    this.edits = edits;
    this.prefix = xml.qualifiedName.slice(0, -'sheetData'.length);
  }

  move(): void {
    const { xml } = this;
    const { depth, selfClosing } = xml;
    if (selfClosing) {
      xml.next();
      return;
    }
    for (;;) {
      const token = xml.next();
      if (token === XmlToken.Close && xml.depth === depth) break;
      if (token === XmlToken.Open && xml.name === 'row') this.moveRow();
    }
    if (this.from < 0) return;
    this.addNewRows();
    const rows = [...this.moved].sort(([a], [b]) => a - b).map(([row, moved]) => this.rowXml(row, moved));
    this.edits.push({ start: this.from, end: xml.start, text: rows.join('') });
  }

  private moveRow(): void {
    const { xml, moves } = this;
    const number = xml.attribute('r');
    const row = number === undefined ? this.row + 1 : Number(number) - 1;
    if (row <= this.row) throw xml.damaged('its rows are not in ascending order, so nothing can be written into it');
    this.row = row;
    const { own } = moves;
    if (own && row >= own.row) {
      if (this.from < 0) this.from = xml.start;
      this.readMovedRow(row, own);
      return;
    }
    if (own && row === own.row - 1) this.rowAbove = this.attributes((name) => FORMATS.has(name));
    const changes = moves.changes.get(row);
    if (!changes) {
      xml.skip();
      return;
    }
    this.eachCell((col) => {
      const change = changes.get(col);
      if (change) this.edits.push(...cellEdits(xml, change, own, null).edits);
      else xml.skip();
    });
  }

  /** Calls `cell` at the Open of each cell; `cell` must move to its Close. */
  private eachCell(cell: (col: number) => void): void {
    const { xml } = this;
    const { depth } = xml;
    for (let col = nextCell(xml, depth, -1); col !== null; col = nextCell(xml, depth, col)) cell(col);
  }

  private readMovedRow(row: number, own: CellInsertion): void {
    const { xml } = this;
    const attributes = this.attributes((name) => name !== 'r' && name !== 'spans');
    const changes = this.moves.changes.get(row);
    const movedRow = this.rowAt(isWholeRows(own) ? row + own.count : row);
    movedRow.attributes = attributes;
    this.eachCell((col) => {
      const to = insertedRow(row, col, own);
      const { start, end, edits } = cellEdits(xml, changes?.get(col), own, formatCell(to, col));
      const shifted = edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
      const bytes = applyEdits(xml.bytes.subarray(start, end), shifted);
      this.rowAt(to).cells.push({ col, text: decodeUtf8(bytes, 0, bytes.length) });
    });
  }

  private rowAt(row: number): MovedRow {
    let known = this.moved.get(row);
    if (!known) this.moved.set(row, (known = { attributes: '', cells: [] }));
    return known;
  }

  /** Gives new whole rows the look of the row above. */
  private addNewRows(): void {
    const { own, newRowStyles } = this.moves;
    if (!own || !isWholeRows(own) || (newRowStyles.size === 0 && this.rowAbove === '')) return;
    if (own.count * Math.max(1, newRowStyles.size) > MAX_STYLED_CELLS) return;
    for (let row = own.row; row < own.row + own.count; row++) {
      const cells = [...newRowStyles].map(([col, style]) => ({
        col,
        text: `<${this.prefix}c r="${formatCell(row, col)}" s="${style}"/>`,
      }));
      this.moved.set(row, { attributes: this.rowAbove, cells });
    }
  }

  private rowXml(row: number, { attributes, cells }: MovedRow): string {
    if (attributes === '' && cells.length === 0) return '';
    const content = cells.sort((a, b) => a.col - b.col).map(({ text }) => text);
    const tag = `${this.prefix}row`;
    return `<${tag} r="${row + 1}"${attributes}>${content.join('')}</${tag}>`;
  }

  private attributes(isIncluded: (name: string) => boolean): string {
    const { xml } = this;
    let text = '';
    for (let index = 0; index < xml.attributeCount; index++) {
      if (!isIncluded(xml.attributeName(index))) continue;
      text += ` ${decodeUtf8(xml.bytes, xml.attributeNameStarts[index]!, xml.valueEnds[index]! + 1)}`;
    }
    return text;
  }
}

const FORMATS: ReadonlySet<string> = new Set(['s', 'customFormat', 'ht', 'customHeight']);

/**
 * Processes a cell from its Open to its Close and returns the edits inside it. `address` is its new address, null if it
 * does not move.
 */
function cellEdits(
  xml: XmlScanner,
  change: FormulaChange | undefined,
  own: CellInsertion | null,
  address: string | null,
): { start: number; end: number; edits: ByteEdit[] } {
  const { start, depth } = xml;
  const edits: ByteEdit[] = [];
  if (address !== null) edits.push(attributeEdit(xml, 'r', address));
  for (;;) {
    const token = xml.next();
    if (token === XmlToken.Close && xml.depth === depth) break;
    if (token === XmlToken.Open && xml.name === 'f' && (change || xml.attributeCount > 0))
      edits.push(formulaEdit(xml, change ?? {}, own));
  }
  return { start, end: xml.end, edits };
}

/**
 * Attributes of a formula with addresses on its own sheet: the range it fills, and the input cells of a what-if table.
 */
const ADDRESSES: ReadonlySet<string> = new Set(['ref', 'r1', 'r2']);
const SHARED: ReadonlySet<string> = new Set(['t', 'si', 'ref']);

function formulaEdit(xml: XmlScanner, change: FormulaChange, own: CellInsertion | null): ByteEdit {
  const { start, end: behindTag, qualifiedName, selfClosing } = xml;
  let attributes = '';
  for (let index = 0; index < xml.attributeCount; index++) {
    const name = xml.attributeName(index);
    if (change.isAlone && SHARED.has(name)) continue;
    const value = xml.attributeValue(index);
    const block = own && ADDRESSES.has(name) ? parseBlock(value) : null;
    attributes += block
      ? ` ${name}="${formatBlock(insertedBlock(block, own!))}"`
      : ` ${decodeUtf8(xml.bytes, xml.attributeNameStarts[index]!, xml.valueEnds[index]! + 1)}`;
  }
  xml.skip();
  const old = selfClosing ? '' : decodeUtf8(xml.bytes, behindTag, xml.start);
  const text = change.text === undefined ? old : escapeXml(change.text);
  const tag = `${qualifiedName}${attributes}`;
  return { start, end: xml.end, text: text === '' ? `<${tag}/>` : `<${tag}>${text}</${qualifiedName}>` };
}
