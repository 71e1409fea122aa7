/** Edits a sheet part in place: bytes outside the changed cells stay as they are. */
import { formatBlock, MAX_COLS, parseBlock } from '#shared/codecs/cell-address.ts';
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import { applyEdits } from './byte-edits.ts';
import type { ByteEdit } from './byte-edits.ts';
import { editCell } from './cell-editor.ts';
import { newCellXml } from './cell-xml.ts';
import type { CellChange } from './cell-xml.ts';
import { nextCell } from './part-edits.ts';
import { rangeEdits, textEdit } from './sheet-ranges.ts';
import type { SheetFollower } from './sheet-follower.ts';

/** The changes to one sheet. */
export interface SheetChanges {
  /** By row, then by column. */
  rows: Map<number, Map<number, CellChange>>;
  /** Returns the style of a cell the file does not have: that of its row or column. */
  styleOf: (row: number, col: number) => number;
  /** Updates ranges outside the cells after tables were resized; null if none was. */
  follower: SheetFollower | null;
}

/** Returns the part with the changes applied; `bytes` must be UTF-8. */
export function rewriteSheet(bytes: Uint8Array, part: string, changes: SheetChanges): Uint8Array {
  return new SheetWriter(bytes, part, changes).write();
}

class SheetWriter {
  private readonly xml: XmlScanner;
  private readonly changes: SheetChanges;
  private readonly edits: ByteEdit[] = [];
  /** Rows with changes, ascending; those before index `nextRow` have been written. */
  private readonly rowNumbers: number[];
  private nextRow = 0;
  private row = -1;
  private prefix = '';

  constructor(bytes: Uint8Array, part: string, changes: SheetChanges) {
    this.xml = new XmlScanner(bytes, part);
    this.changes = changes;
    this.rowNumbers = [...changes.rows.keys()].sort((a, b) => a - b);
  }

  write(): Uint8Array {
    const { xml } = this;
    const { follower } = this.changes;
    let element = '';
    for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
      if (token === XmlToken.Text) this.writeText(element);
      element = token === XmlToken.Open ? xml.name : '';
      if (token !== XmlToken.Open) continue;
      if (xml.name === 'sheetData') this.writeRows();
      else if (xml.name === 'dimension') this.writeDimension();
      else if (follower) rangeEdits(xml, follower, this.edits);
    }
    return applyEdits(xml.bytes, this.edits);
  }

  private writeText(element: string): void {
    const { follower } = this.changes;
    const edit = follower && textEdit(this.xml, element, follower);
    if (edit) this.edits.push(edit);
  }

  private writeRows(): void {
    const { xml } = this;
    const name = xml.qualifiedName;
    const depth = xml.depth;
    this.prefix = name.slice(0, name.length - 'sheetData'.length);
    if (xml.selfClosing) {
      const rows = this.newRows(Infinity);
      if (rows !== '') this.edits.push({ start: xml.start, end: xml.end, text: `<${name}>${rows}</${name}>` });
      xml.next();
      return;
    }
    for (;;) {
      const token = xml.next();
      if (token === XmlToken.Close && xml.depth === depth) break;
      if (token === XmlToken.Open && xml.name === 'row') this.writeRow();
    }
    this.insert(xml.start, this.newRows(Infinity));
  }

  private writeRow(): void {
    const { xml } = this;
    const number = xml.attribute('r');
    const row = number === undefined ? this.row + 1 : Number(number) - 1;
    if (row <= this.row) throw xml.damaged('its rows are not in ascending order, so nothing can be written into it');
    this.row = row;
    this.insert(xml.start, this.newRows(row));
    const changes = this.changes.rows.get(row);
    if (!changes) {
      xml.skip();
      return;
    }
    this.nextRow++;
    this.dropSpans(changes);
    this.writeCells(row, changes);
  }

  private writeCells(row: number, changes: Map<number, CellChange>): void {
    const { xml } = this;
    const name = xml.qualifiedName;
    const depth = xml.depth;
    const columns = [...changes.keys()].sort((a, b) => a - b);
    let next = 0;
    const newCells = (before: number): string => {
      let text = '';
      for (; next < columns.length && columns[next]! < before; next++)
        text += this.newCell(row, columns[next]!, changes);
      return text;
    };
    if (xml.selfClosing) {
      const cells = newCells(MAX_COLS);
      if (cells !== '') this.edits.push({ start: xml.end - 2, end: xml.end, text: `>${cells}</${name}>` });
      xml.next();
      return;
    }
    for (let col = nextCell(xml, depth, -1); col !== null; col = nextCell(xml, depth, col)) {
      this.insert(xml.start, newCells(col));
      if (columns[next] === col) {
        next++;
        this.edits.push(editCell(xml, changes.get(col)!, this.prefix, row, col));
      } else xml.skip();
    }
    this.insert(xml.start, newCells(MAX_COLS));
  }

  private newCell(row: number, col: number, changes: Map<number, CellChange>): string {
    const change = changes.get(col)!;
    return newCellXml(change, change.style ?? this.changes.styleOf(row, col), this.prefix, row, col);
  }

  /** Returns the changed rows before `before` that the file does not have. */
  private newRows(before: number): string {
    let text = '';
    for (; this.nextRow < this.rowNumbers.length && this.rowNumbers[this.nextRow]! < before; this.nextRow++) {
      const row = this.rowNumbers[this.nextRow]!;
      const changes = this.changes.rows.get(row)!;
      const columns = [...changes.keys()].sort((a, b) => a - b);
      const cells = columns.map((col) => this.newCell(row, col, changes)).join('');
      if (cells !== '') text += `<${this.prefix}row r="${row + 1}">${cells}</${this.prefix}row>`;
    }
    return text;
  }

  private insert(at: number, text: string): void {
    if (text !== '') this.edits.push({ start: at, end: at, text });
  }

  /** `spans` is a hint on the maximum width of a row; it is removed if it may be wrong now. */
  private dropSpans(changes: Map<number, CellChange>): void {
    const { xml } = this;
    const index = xml.attributeIndex('spans');
    if (index < 0) return;
    const spans = /^(\d+):(\d+)$/.exec(xml.attributeValue(index));
    if (spans && [...changes.keys()].every((col) => col + 1 >= Number(spans[1]) && col + 1 <= Number(spans[2]))) return;
    this.edits.push({ start: xml.attributeNameStarts[index]! - 1, end: xml.valueEnds[index]! + 1, text: '' });
  }

  /** Extends the dimension to the cells that were added: some readers allocate by it or stop at it. */
  private writeDimension(): void {
    const { xml } = this;
    const index = xml.attributeIndex('ref');
    const old = index < 0 ? null : parseBlock(xml.attributeValue(index));
    if (!old) return;
    const block = { ...old };
    for (const [row, changes] of this.changes.rows) {
      for (const [col, change] of changes) {
        if ((change.value ?? null) === null && (change.formula ?? null) === null) continue;
        block.top = Math.min(block.top, row);
        block.bottom = Math.max(block.bottom, row);
        block.left = Math.min(block.left, col);
        block.right = Math.max(block.right, col);
      }
    }
    const text = formatBlock(block);
    if (text !== formatBlock(old))
      this.edits.push({ start: xml.valueStarts[index]!, end: xml.valueEnds[index]!, text });
  }
}
