/**
 * Reads external links: other workbooks that formulas refer to, with the values that the file caches. The linked
 * workbooks are never opened.
 */
import { parseCell } from '#shared/codecs/cell-address.ts';
import { cellError, ERROR_CODES } from '../values/cell-value.ts';
import { CellStore } from './cell-store.ts';
import { readRelationships } from './relationships.ts';
import type { Relationship, WorkbookParts } from './relationships.ts';
import type { ReadingContext } from './sheet-cells.ts';
import { checkFormulaLength } from './rich-text.ts';
import { WorkbookFileError } from './workbook-file-error.ts';
import { CellKind } from './workbook-model.ts';
import type { ExternalBook } from './workbook-model.ts';
import { XmlScanner, XmlToken } from './xml-scanner.ts';
import { decodeExcelEscapes, toUtf8 } from './xml-text.ts';

/** Returns the linked books in the order of `references`; a book missing from the file is empty. */
export function readExternalBooks(
  parts: WorkbookParts,
  references: readonly string[],
  relationships: readonly Relationship[],
  context: ReadingContext,
): ExternalBook[] {
  return references.map((id) => {
    const link = relationships.find((relationship) => relationship.id === id);
    if (!link || link.external) return { target: link?.target ?? '', sheets: [], names: [] };
    return readExternalBook(parts, link.target, context);
  });
}

function readExternalBook(parts: WorkbookParts, path: string, context: ReadingContext): ExternalBook {
  const book: ExternalBook = { target: '', sheets: [], names: [] };
  const bytes = parts.part(path);
  if (!bytes) return book;
  const relationships = readRelationships(parts, path, context.limits);
  const xml = new XmlScanner(toUtf8(bytes, path), path, context.limits);
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token !== XmlToken.Open) continue;
    if (xml.name === 'externalBook' || xml.name === 'oleLink') {
      const id = xml.prefixedAttribute('id');
      book.target = relationships.find((relationship) => relationship.id === id)?.target ?? '';
    } else if (xml.name === 'ddeLink') {
      book.target = `${xml.attribute('ddeService') ?? ''}|${xml.attribute('ddeTopic') ?? ''}`;
      xml.skip();
    } else if (xml.name === 'sheetName') addSheet(xml, book, context);
    else if (xml.name === 'definedName') addName(xml, book, context);
    else if (xml.name === 'sheetData') readSheetData(xml, book, context);
  }
  return book;
}

function addSheet(xml: XmlScanner, book: ExternalBook, { limits }: ReadingContext): void {
  if (book.sheets.length >= limits.sheets) {
    throw new WorkbookFileError('tooManySheets', `A linked workbook has more than ${limits.sheets} sheets.`);
  }
  book.sheets.push({ name: decodeExcelEscapes(xml.attribute('val') ?? ''), cells: null });
}

function addName(xml: XmlScanner, book: ExternalBook, { limits }: ReadingContext): void {
  if (book.names.length >= limits.names) {
    throw new WorkbookFileError(
      'tooManyNames',
      `A linked workbook has more than ${limits.names.toLocaleString('en')} defined names.`,
    );
  }
  const name = decodeExcelEscapes(xml.attribute('name') ?? '');
  const sheet = xml.attribute('sheetId');
  const text = checkFormulaLength(xml.attribute('refersTo') ?? '', `the linked name '${name}'`, limits);
  book.names.push({ name, sheet: sheet !== undefined && /^\d{1,9}$/.test(sheet) ? Number(sheet) : null, text });
}

/** Call at the Open of <sheetData>. Reads the cells of one sheet as of the last refresh of the link. */
function readSheetData(xml: XmlScanner, book: ExternalBook, context: ReadingContext): void {
  const sheet = book.sheets[Number(xml.attribute('sheetId') ?? -1)];
  // A sheet that could not be refreshed has no values, and Excel shows #REF! for it.
  const isUnknown = xml.flag('refreshError');
  const store = new CellStore();
  const depth = xml.depth;
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token === XmlToken.Close && xml.depth === depth) break;
    if (token === XmlToken.Open && xml.name === 'cell') addCell(xml, store, context);
  }
  if (sheet && (!isUnknown || store.count > 0)) sheet.cells = store.finish();
}

function addCell(xml: XmlScanner, store: CellStore, context: ReadingContext): void {
  const at = parseCell(xml.attribute('r') ?? '');
  const type = xml.attribute('t') ?? 'n';
  const depth = xml.depth;
  let text: string | null = null;
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token === XmlToken.Close && xml.depth === depth) break;
    if (token === XmlToken.Open && xml.name === 'v') text = xml.leaf();
  }
  if (!at || text === null) return;
  if (context.cellsLeft-- <= 0) {
    throw new WorkbookFileError(
      'tooManyCells',
      `The workbook has more than ${context.limits.cells.toLocaleString('en')} cells, including those of linked workbooks.`,
    );
  }
  const [kind, value] = cellValue(type, text, context);
  store.add(at.row, at.col, kind, value, 0, -1);
}

function cellValue(type: string, text: string, { strings }: ReadingContext): [kind: number, value: number] {
  if (type === 'b') return [CellKind.Boolean, /^\s*(1|true)\s*$/i.test(text) ? 1 : 0];
  if (type === 'e') return [CellKind.Error, ERROR_CODES.indexOf(cellError(text.trim())?.code ?? '#VALUE!')];
  const number = type === 'n' ? Number(text) : Number.NaN;
  if (Number.isFinite(number)) return [CellKind.Number, number];
  return [CellKind.Text, strings.addOnce(decodeExcelEscapes(text))];
}
