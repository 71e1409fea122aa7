/** Reads workbooks and their parts with the reader, and cells by address. */
import { parseCell } from '#shared/codecs/cell-address.ts';
import { cellAt, savedValue } from '#server/calculation/reader/cell-index.ts';
import { readWorkbook } from '#server/calculation/reader/read-workbook.ts';
import type { WorkbookParts } from '#server/calculation/reader/relationships.ts';
import type { FormulaModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import { encodeUtf8 } from '#server/calculation/reader/xml-text.ts';
import { workbookParts, type SheetSpec, type WorkbookSpec } from './build-workbook.ts';

export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
export const SHEET1 = 'xl/worksheets/sheet1.xml';

export function parts(files: Record<string, string | Uint8Array>): WorkbookParts {
  const bytes = (content: string | Uint8Array) => (typeof content === 'string' ? encodeUtf8(content) : content);
  const byPath = new Map(Object.entries(files).map(([path, content]) => [path, bytes(content)]));
  return { paths: [...byPath.keys()], part: (path) => byPath.get(path) };
}

export const read = (spec: WorkbookSpec): WorkbookModel => readWorkbook(parts(workbookParts(spec)));
export const readSheetXml = (xml: string, further: Record<string, string> = {}): WorkbookModel =>
  read({ sheets: [{ name: 'S' }], parts: { [SHEET1]: xml, ...further } });
export const readRows = (rows: string): WorkbookModel =>
  readSheetXml(`<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`);
export const readSheetSpec = (sheet: Omit<SheetSpec, 'name'>): WorkbookModel =>
  read({ sheets: [{ name: 'S', ...sheet }] });

export function cellIndex(model: WorkbookModel, address: string, sheet = 0): number {
  const { row, col } = parseCell(address)!;
  return cellAt(model.sheets[sheet]!.cells, row, col);
}
export function value(model: WorkbookModel, address: string, sheet = 0): unknown {
  const at = cellIndex(model, address, sheet);
  const saved = at < 0 ? undefined : savedValue(model.sheets[sheet]!.cells, at, model.strings);
  return typeof saved === 'object' && saved !== null ? saved.code : saved;
}
export function formula(model: WorkbookModel, address: string): FormulaModel | undefined {
  const { cells } = model.sheets[0]!;
  return cells.formulaTable[cells.formulas[cellIndex(model, address)]!];
}
/** A sheet with a shared string table. */
export const withStrings = (items: string, rows: string): WorkbookModel => {
  const spec = { sheets: [{ name: 'S' }] };
  const rels = String(workbookParts(spec)['xl/_rels/workbook.xml.rels']).replace(
    '</Relationships>',
    `<Relationship Id="rIdS" Type="${OFFICE}/sharedStrings" Target="/xl/sharedStrings.xml"/></Relationships>`,
  );
  return readSheetXml(`<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`, {
    'xl/_rels/workbook.xml.rels': rels,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${items}</sst>`,
  });
};
