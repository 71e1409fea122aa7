/**
 * Moves the anchors of drawings, controls and notes. They move with the cell of their upper left corner and keep their
 * size: a chart beside a table that gains ten thousand rows is not stretched over all of them.
 */
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import { insertedRow } from '#server/calculation/tables/insert-cells.ts';
import type { CellInsertion } from '#server/calculation/tables/insert-cells.ts';
import type { ByteEdit } from '../byte-edits.ts';

interface NumberSpan {
  start: number;
  end: number;
  value: number;
}

/**
 * Edits the anchors of a drawing part, and of the controls of a sheet part (ECMA-376 part 1, 20.5.2.33 and 18.3.1.21).
 */
export function anchorEdits(bytes: Uint8Array, part: string, insertion: CellInsertion): ByteEdit[] {
  const edits: ByteEdit[] = [];
  const xml = new XmlScanner(bytes, part);
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next())
    if (token === XmlToken.Open && isAnchor(xml)) moveAnchor(xml, insertion, edits);
  return edits;
}

export const isAnchor = ({ name }: XmlScanner): boolean =>
  name === 'twoCellAnchor' || name === 'oneCellAnchor' || name === 'anchor';

/** Processes an anchor from its Open to the end of its corners; its content follows them. */
export function moveAnchor(xml: XmlScanner, insertion: CellInsertion, edits: ByteEdit[]): void {
  const { depth, name } = xml;
  // Charts of chart sheets are anchored to the page.
  if (xml.attribute('editAs') === 'absolute') return;
  const corners = new Map<string, { row?: NumberSpan; col?: NumberSpan }>();
  let corner = '';
  for (;;) {
    if (corners.get('to')?.row || (name === 'oneCellAnchor' && corners.get('from')?.row)) break;
    const token = xml.next();
    if (token === XmlToken.End || (token === XmlToken.Close && xml.depth === depth)) break;
    if (token !== XmlToken.Open) continue;
    if (xml.name === 'from' || xml.name === 'to') corners.set((corner = xml.name), {});
    else if (corner !== '' && (xml.name === 'row' || xml.name === 'col')) {
      const element = xml.name;
      const start = xml.end;
      const value = Number(xml.leaf());
      corners.get(corner)![element] = { start, end: xml.start, value };
    }
  }
  const from = corners.get('from');
  if (!from?.row || !from.col) return;
  const moved = insertedRow(from.row.value, from.col.value, insertion) - from.row.value;
  if (moved === 0) return;
  for (const { row } of corners.values())
    if (row) edits.push({ start: row.start, end: row.end, text: String(row.value + moved) });
}

/**
 * Edits notes and old controls of a VML drawing: `x:Anchor` contains columns, rows and offsets of both corners
 * (MS-OI29500 2.1.1794).
 */
export function vmlEdits(bytes: Uint8Array, part: string, insertion: CellInsertion): ByteEdit[] {
  const edits: ByteEdit[] = [];
  const xml = new XmlScanner(bytes, part);
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next())
    if (token === XmlToken.Open && xml.name === 'ClientData') moveClientData(xml, insertion, edits);
  return edits;
}

function moveClientData(xml: XmlScanner, insertion: CellInsertion, edits: ByteEdit[]): void {
  const { depth } = xml;
  let anchor: { start: number; end: number; numbers: number[] } | null = null;
  let row: NumberSpan | null = null;
  let col: number | null = null;
  for (;;) {
    const token = xml.next();
    if (token === XmlToken.Close && xml.depth === depth) break;
    if (token !== XmlToken.Open) continue;
    const { name } = xml;
    if (name !== 'Anchor' && name !== 'Row' && name !== 'Column') continue;
    const start = xml.end;
    const text = xml.leaf();
    const end = Math.max(start, xml.start);
    if (name === 'Anchor') anchor = { start, end, numbers: text.split(',').map(Number) };
    else if (name === 'Row') row = { start, end, value: Number(text) };
    else col = Number(text);
  }
  // A note belongs to a cell; a control moves with its corner.
  const own =
    row && col !== null ? { row: row.value, col } : anchor && { row: anchor.numbers[2]!, col: anchor.numbers[0]! };
  const moved = own ? insertedRow(own.row, own.col, insertion) - own.row : 0;
  if (moved === 0) return;
  const found: ByteEdit[] = [];
  if (row) found.push({ start: row.start, end: row.end, text: String(row.value + moved) });
  if (anchor && anchor.numbers.length === 8) {
    const numbers = anchor.numbers.map((number, index) => (index === 2 || index === 6 ? number + moved : number));
    found.push({ start: anchor.start, end: anchor.end, text: numbers.join(', ') });
  }
  edits.push(...found.sort((a, b) => a.start - b.start));
}
