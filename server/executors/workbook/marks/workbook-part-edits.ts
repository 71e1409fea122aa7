/** Edits the list of sheets and names of a workbook (xl/workbook.xml). */
import type { DefinedName, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import { encodeExcelEscapes, escapeAttribute, escapeXml } from '#shared/codecs/xml-escapes.ts';
import { applyEdits, attributeEdit } from '../byte-edits.ts';
import type { ByteEdit } from '../byte-edits.ts';
import type { Namespaces } from './portal-sheet.ts';

const TRANSITIONAL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const STRICT = 'http://purl.oclc.org/ooxml/officeDocument/relationships';

/** Returns the namespaces that the file uses: strict files have different ones. */
export function namespacesOf(bytes: Uint8Array, path: string): Namespaces {
  const xml = new XmlScanner(bytes, path);
  while (xml.next() !== XmlToken.Open);
  const prefix = xml.qualifiedName.slice(0, -xml.name.length).replace(/:$/, '');
  const main = xml.attribute(prefix === '' ? 'xmlns' : `xmlns:${prefix}`) ?? '';
  return { main, relationships: main.includes('purl.oclc.org') ? STRICT : TRANSITIONAL };
}

export interface WorkbookPartChanges {
  removed: readonly DefinedName[];
  hidden: readonly DefinedName[];
  added: readonly { name: string; text: string }[];
  sheet: { name: string; relationshipId: string } | null;
}

export function editWorkbookPart(
  bytes: Uint8Array,
  path: string,
  changes: WorkbookPartChanges,
  { relationships }: Namespaces,
): Uint8Array {
  const found = findOffsets(bytes, path, changes);
  const { prefix, edits } = found;
  const names = changes.added.map(
    ({ name, text }) => `<${prefix}definedName name="${nameAttribute(name)}">${escapeXml(text)}</${prefix}definedName>`,
  );
  if (names.length > 0) {
    const { start, end, isInside } = found.names ?? {
      start: found.behindSheets,
      end: found.behindSheets,
      isInside: false,
    };
    const text = isInside ? names.join('') : `<${prefix}definedNames>${names.join('')}</${prefix}definedNames>`;
    edits.push({ start, end, text });
  }
  if (changes.sheet) {
    const { name, relationshipId } = changes.sheet;
    // Declare the prefix here, because a few files do not declare the relationships namespace. ExcelJS and other
    // programs know no other prefix than r.
    const r = prefix === 'r:' ? 'rel' : 'r';
    const text = `<${prefix}sheet name="${nameAttribute(name)}" sheetId="${found.lastSheetId + 1}" xmlns:${r}="${relationships}" ${r}:id="${relationshipId}"/>`;
    edits.push({ start: found.sheetsEnd, end: found.sheetsEnd, text });
  }
  return applyEdits(
    bytes,
    edits.sort((a, b) => a.start - b.start),
  );
}

const nameAttribute = (name: string): string => escapeAttribute(encodeExcelEscapes(name));

/** Byte offsets of the part at which changes are made. */
interface EditOffsets {
  /** Prefix of the root element: 'x:' or ''. */
  prefix: string;
  /** Start of the end tag of the list of sheets. */
  sheetsEnd: number;
  /** End of the last element that comes before the names. */
  behindSheets: number;
  lastSheetId: number;
  /** The end tag of the list of names (`isInside`), or the whole element if it is empty; null if there is no list. */
  names: { start: number; end: number; isInside: boolean } | null;
  /** Edits that remove or hide names. */
  edits: ByteEdit[];
}

/** Elements that come before the names (ECMA-376 part 1, 18.2.27). */
const BEFORE_NAMES = new Set(['sheets', 'functionGroups', 'externalReferences']);

function findOffsets(bytes: Uint8Array, path: string, changes: WorkbookPartChanges): EditOffsets {
  const offsets: EditOffsets = { prefix: '', sheetsEnd: 0, behindSheets: 0, lastSheetId: 0, names: null, edits: [] };
  const xml = new XmlScanner(bytes, path);
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token === XmlToken.Open) findInOpen(xml, offsets, changes);
    else if (token === XmlToken.Close) findInClose(xml, offsets);
  }
  return offsets;
}

function findInOpen(xml: XmlScanner, offsets: EditOffsets, { removed, hidden }: WorkbookPartChanges): void {
  if (xml.depth === 1) offsets.prefix = xml.qualifiedName.slice(0, -xml.name.length);
  // Skip extensions: they reuse element names with other meanings.
  if (xml.name === 'extLst' || xml.name === 'AlternateContent') xml.skip();
  else if (xml.name === 'sheet')
    offsets.lastSheetId = Math.max(offsets.lastSheetId, Number(xml.attribute('sheetId')) || 0);
  else if (xml.name === 'definedNames' && xml.selfClosing)
    offsets.names = { start: xml.start, end: xml.end, isInside: false };
  else if (xml.name === 'definedName') {
    const { start } = xml;
    if (isOneOf(xml, hidden)) offsets.edits.push(attributeEdit(xml, 'hidden', '1'));
    const isGone = isOneOf(xml, removed);
    xml.skip();
    if (isGone) offsets.edits.push({ start, end: xml.end, text: '' });
  }
}

function findInClose(xml: XmlScanner, offsets: EditOffsets): void {
  if (xml.depth !== 2) return;
  if (xml.name === 'sheets') offsets.sheetsEnd = xml.start;
  if (BEFORE_NAMES.has(xml.name)) offsets.behindSheets = xml.end;
  if (xml.name === 'definedNames' && !xml.selfClosing)
    offsets.names = { start: xml.start, end: xml.start, isInside: true };
}

function isOneOf(xml: XmlScanner, names: readonly DefinedName[]): boolean {
  const scope = xml.attribute('localSheetId');
  const own = (xml.attribute('name') ?? '').toLowerCase();
  return names.some(
    ({ name, sheet }) =>
      encodeExcelEscapes(name).toLowerCase() === own && (sheet === null ? undefined : String(sheet)) === scope,
  );
}

/** Returns 'Portal', or 'Portal 2' and so on if a sheet already has that name. */
export function freeSheetName({ sheets }: WorkbookModel): string {
  const taken = new Set(sheets.map(({ name }) => name.toLowerCase()));
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'Portal' : `Portal ${number}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}
