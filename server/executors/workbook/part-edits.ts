/** Edits that several writers of a workbook's parts make. */
import type { DefinedName, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import { escapeXml } from '#shared/codecs/xml-escapes.ts';
import { parseCell } from '#shared/codecs/cell-address.ts';
import { applyEdits } from './byte-edits.ts';
import type { ByteEdit } from './byte-edits.ts';

/** Returns the part without the elements that match; null if there are none. `bytes` must be UTF-8. */
export function withoutElements(
  bytes: Uint8Array,
  path: string,
  matches: (xml: XmlScanner) => boolean,
): Uint8Array | null {
  const edits: ByteEdit[] = [];
  const xml = new XmlScanner(bytes, path);
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token !== XmlToken.Open || !matches(xml)) continue;
    const { start } = xml;
    xml.skip();
    edits.push({ start, end: xml.end, text: '' });
  }
  return edits.length > 0 ? applyEdits(bytes, edits) : null;
}

/**
 * Returns the workbook part with new texts of its defined names; null if none changes.
 * @param textOf null if the name stays as it is
 */
export function withNewNames(
  bytes: Uint8Array,
  path: string,
  { names }: Pick<WorkbookModel, 'names'>,
  textOf: (name: DefinedName) => string | null,
): Uint8Array | null {
  const edits: ByteEdit[] = [];
  const xml = new XmlScanner(bytes, path);
  for (let token = xml.next(), index = 0; token !== XmlToken.End; token = xml.next()) {
    if (token !== XmlToken.Open) continue;
    if (xml.name === 'extLst' || xml.name === 'AlternateContent') xml.skip();
    if (xml.name !== 'definedName') continue;
    const { end: start, selfClosing } = xml;
    xml.skip();
    const name = names[index++];
    const text = name && !selfClosing ? textOf(name) : null;
    if (text !== null) edits.push({ start, end: xml.start, text: escapeXml(text) });
  }
  return edits.length > 0 ? applyEdits(bytes, edits) : null;
}

/**
 * Moves to the Open of the next cell of a row and returns its column; null at the Close of the row.
 * @param depth depth of the row
 * @param previous column of the previous cell; -1 for none
 */
export function nextCell(xml: XmlScanner, depth: number, previous: number): number | null {
  for (;;) {
    const token = xml.next();
    if (token === XmlToken.Close && xml.depth === depth) return null;
    if (token !== XmlToken.Open || xml.name !== 'c') continue;
    const ref = xml.attribute('r');
    const col = ref === undefined ? previous + 1 : (parseCell(ref)?.col ?? -1);
    if (col > previous) return col;
    throw xml.damaged('its cells are not in ascending order, so nothing can be written into it');
  }
}
