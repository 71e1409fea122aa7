/** Rewrites a sheet part around an insertion of cells: its cells, and everything that refers to them. */
import type { SheetModel } from '#server/calculation/reader/workbook-model.ts';
import { cellsIn } from '#server/calculation/reader/cell-index.ts';
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import type { CellInsertion } from '#server/calculation/tables/insert-cells.ts';
import { isWholeRows } from '#server/calculation/tables/insert-cells.ts';
import { formatBlock, MAX_COLS, parseBlock } from '#shared/codecs/cell-address.ts';
import { applyEdits } from '../byte-edits.ts';
import type { ByteEdit } from '../byte-edits.ts';
import { isAnchor, moveAnchor } from './moved-anchors.ts';
import type { FormulaChanges } from './moved-formulas.ts';
import { attributeEdits, textEdit } from './moved-references.ts';
import type { MovedReferences } from './moved-references.ts';
import { moveCells } from './move-cells.ts';

export interface SheetMoves {
  changes: FormulaChanges;
  /** The insertion, if it is on this sheet; otherwise null. */
  own: CellInsertion | null;
  references: MovedReferences;
  model: SheetModel;
}

/** Returns null if nothing changes; `bytes` must be UTF-8. */
export function moveSheet(bytes: Uint8Array, part: string, moves: SheetMoves): Uint8Array | null {
  const { changes, own, references, model } = moves;
  const edits: ByteEdit[] = [];
  const xml = new XmlScanner(bytes, part);
  let element = '';
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token === XmlToken.Text) {
      const edit = textEdit(xml, element, references);
      if (edit) edits.push(edit);
    }
    element = token === XmlToken.Open ? xml.name : '';
    if (token !== XmlToken.Open) continue;
    if (xml.name === 'sheetData') {
      if (own || changes.size > 0) moveCells(xml, { changes, own, newRowStyles: stylesAbove(model, own) }, edits);
      else xml.skip();
      element = '';
    } else if (xml.name === 'dimension') growDimension(xml, own, edits);
    else if (own && isAnchor(xml)) moveAnchor(xml, own, edits);
    else attributeEdits(xml, references, edits);
  }
  return edits.length === 0 ? null : applyEdits(bytes, edits);
}

/** Returns the styles of the row above whole new rows. */
function stylesAbove({ cells }: SheetModel, own: CellInsertion | null): Map<number, number> {
  const styles = new Map<number, number>();
  if (!own || !isWholeRows(own) || own.row === 0) return styles;
  for (const at of cellsIn(cells, { top: own.row - 1, bottom: own.row - 1, left: 0, right: MAX_COLS - 1 }))
    if (cells.styles[at]! > 0) styles.set(cells.cols[at]!, cells.styles[at]!);
  return styles;
}

function growDimension(xml: XmlScanner, own: CellInsertion | null, edits: ByteEdit[]): void {
  const index = xml.attributeIndex('ref');
  const block = own && index >= 0 ? parseBlock(xml.attributeValue(index)) : null;
  if (!block || !own || block.bottom < own.row) return;
  const text = formatBlock({ ...block, bottom: block.bottom + own.count });
  edits.push({ start: xml.valueStarts[index]!, end: xml.valueEnds[index]!, text });
}
