/** Excel tables (xl/tables/table1.xml). */
import { parseBlock } from '#shared/codecs/cell-address.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { requirePart } from './relationships.ts';
import type { WorkbookParts } from './relationships.ts';
import type { ReaderLimits } from './reader-limits.ts';
import { checkFormulaLength } from './rich-text.ts';
import { FILTERS } from './sheet-part.ts';
import { damaged, SAVE_AGAIN, WorkbookFileError } from './workbook-file-error.ts';
import type { TableModel } from './workbook-model.ts';
import { XmlScanner, XmlToken } from './xml-scanner.ts';
import { decodeExcelEscapes } from './xml-text.ts';

/** Reads the table of a part that belongs to the sheet with index `sheet`. */
export function readTable(parts: WorkbookParts, path: string, sheet: number, limits: ReaderLimits): TableModel {
  const xml = new XmlScanner(requirePart(parts, path, 'a table'), path, limits);
  while (xml.next() !== XmlToken.Open);
  if (xml.name !== 'table') throw damaged(`${path} contains no table`);
  const name = decodeExcelEscapes(xml.attribute('displayName') ?? xml.attribute('name') ?? '');
  const table: TableModel = {
    name,
    part: path,
    sheet,
    block: tableBlock(name, xml.attribute('ref') ?? ''),
    headerRows: Number(xml.attribute('headerRowCount') ?? 1),
    totalsRows: Number(xml.attribute('totalsRowCount') ?? 0),
    columns: [],
  };
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token === XmlToken.Open) readTableElement(xml, table, limits);
  }
  checkShape(table);
  return table;
}

function readTableElement(xml: XmlScanner, table: TableModel, limits: ReaderLimits): void {
  if (FILTERS.has(xml.name)) table.isFiltered = true;
  if (xml.name === 'tableColumn') {
    table.columns.push({ name: decodeExcelEscapes(xml.attribute('name') ?? '') });
    return;
  }
  const column = table.columns.at(-1);
  if (!column || (xml.name !== 'calculatedColumnFormula' && xml.name !== 'totalsRowFormula')) return;
  const isCalculated = xml.name === 'calculatedColumnFormula';
  const isArray = xml.flag('array');
  const formula = checkFormulaLength(xml.leaf().replace(/^=/, ''), `column '${column.name}'`, limits);
  if (formula === '') return;
  if (!isCalculated) column.totalsFormula = formula;
  else Object.assign(column, { calculatedFormula: formula, ...(isArray ? { isArray } : {}) });
}

function tableBlock(name: string, ref: string): CellBlock {
  const block = parseBlock(ref);
  if (block) return block;
  throw new WorkbookFileError(
    'beyondSheet',
    `Table '${name}' covers '${ref.slice(0, 40)}', which is not a range of a sheet. ${SAVE_AGAIN}`,
  );
}

function checkShape({ name, block, headerRows, totalsRows, columns }: TableModel): void {
  const rows = block.bottom - block.top + 1;
  const isValid = [headerRows, totalsRows].every((count) => Number.isInteger(count) && count >= 0 && count <= 1);
  if (!isValid || headerRows + totalsRows > rows || columns.length !== block.right - block.left + 1) {
    throw new WorkbookFileError('tables', `Table '${name}' does not fit the cells it covers. ${SAVE_AGAIN}`);
  }
}

/** Refuses two tables with the same name, and tables on a sheet that share cells: neither could be written back. */
export function checkTables(tables: readonly TableModel[]): void {
  const names = new Set<string>();
  for (const { name } of tables) {
    if (names.has(name.toLowerCase())) {
      throw new WorkbookFileError('tables', `Two tables have the name '${name}'. Rename one of them in Excel.`);
    }
    names.add(name.toLowerCase());
  }
  const sorted = [...tables].sort((a, b) => a.sheet - b.sheet || a.block.top - b.block.top);
  for (const [index, table] of sorted.entries()) {
    for (let other = index + 1; other < sorted.length; other++) {
      const next = sorted[other]!;
      if (next.sheet !== table.sheet || next.block.top > table.block.bottom) break;
      if (next.block.left > table.block.right || next.block.right < table.block.left) continue;
      const names = `'${table.name}' and '${next.name}'`;
      throw new WorkbookFileError('tables', `Tables ${names} share cells. ${SAVE_AGAIN}`);
    }
  }
}
