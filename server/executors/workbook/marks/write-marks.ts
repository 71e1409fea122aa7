/**
 * Writes marks into a workbook as defined names, and as a Portal sheet for what names cannot express. Everything else
 * in the file stays byte for byte. The result declares exactly these marks, so an activity is always defined by reading
 * its workbook.
 */
import { Buffer } from 'node:buffer';
import { READER_LIMITS } from '#server/calculation/reader/reader-limits.ts';
import { readRelationships, relationshipsPath } from '#server/calculation/reader/relationships.ts';
import { readWorkbook, workbookPath } from '#server/calculation/reader/read-workbook.ts';
import type { TableModel, WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { Mark } from '#shared/contract/designs.ts';
import { createCellView } from '../definitions/cell-view.ts';
import { openPackage } from '../package.ts';
import type { WorkbookPackage } from '../package.ts';
import { writeBack } from '../write-back.ts';
import { writePackage } from '../zip-writer.ts';
import { declaredMarks } from './marks-of.ts';
import { planMarks } from './mark-names.ts';
import type { MarkPlan } from './mark-names.ts';
import { PackageEdits } from './package-edits.ts';
import { portalSheetXml, portalTables, portalTableXml, tableTops } from './portal-sheet.ts';
import type { Namespaces, PortalTable } from './portal-sheet.ts';
import { editWorkbookPart, freeSheetName, namespacesOf } from './workbook-part-edits.ts';

const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.';

/** Returns the file with the marks. Throws WorkbookFileError if it cannot be read. */
export async function writeMarks(bytes: Uint8Array, marks: readonly Mark[]): Promise<Uint8Array> {
  const source = await openPackage(bytes);
  const model = readWorkbook(source);
  const plan = planMarks(model, marks, declaredMarks(model, createCellView(model)), createUseSearch(source, model));
  const tables = portalTables(plan.marks);
  if (hasSameTables(model, tables)) return writeNames(source, plan);
  const [cleared, clearedModel] = await withoutPortalTables(source, model);
  return writeWhole(cleared, clearedModel, plan, tables);
}

/**
 * Returns a function that tells whether formulas may use a name: it occurs in a part or in another name's definition.
 * Texts of cells and the Portal sheet, which names cells, do not count. Parts are unzipped on the first call.
 */
function createUseSearch(source: WorkbookPackage, model: WorkbookModel): (name: string) => boolean {
  const main = workbookPath(source).toLowerCase();
  const passed = new Set([main, ...ownTables(model).map(({ sheet }) => model.sheets[sheet]!.part.toLowerCase())]);
  const isSearched = (path: string): boolean =>
    /\.xml$/i.test(path) && !/sharedStrings\.xml$/i.test(path) && !passed.has(path.toLowerCase());
  let parts: Buffer[] | null = null;
  return (name) => {
    parts ??= source.paths.filter(isSearched).map((path) => Buffer.from(source.part(path)!));
    const others = model.names.some((defined) => defined.name !== name && defined.text.includes(name));
    return others || parts.some((part) => part.includes(name));
  };
}

const PORTAL_TABLES = new Set(['portalinputs', 'portaloutputs']);

const ownTables = (model: WorkbookModel): TableModel[] =>
  model.tables.filter(({ name }) => PORTAL_TABLES.has(name.toLowerCase()));

/** Returns true if the file's tables already have this content. */
function hasSameTables(model: WorkbookModel, wanted: readonly PortalTable[]): boolean {
  const own = ownTables(model);
  if (own.length !== wanted.length) return false;
  const view = createCellView(model);
  return wanted.every(({ name, columns, rows }) => {
    const table = own.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (!table || table.totalsRows > 0) return false;
    const { top, left, bottom, right } = table.block;
    const texts = [columns, ...rows];
    if (bottom - top + 1 !== texts.length || right - left + 1 !== columns.length) return false;
    return texts.every((line, row) =>
      line.every((text, col) => {
        const { value, formula } = view.cell(table.sheet, top + row, left + col);
        return formula === null && String(value ?? '').trim() === text;
      }),
    );
  });
}

async function writeNames(source: WorkbookPackage, plan: MarkPlan): Promise<Uint8Array> {
  const edits = new PackageEdits(source);
  const path = workbookPath(source);
  const part = edits.part(path)!;
  edits.set(path, editWorkbookPart(part, path, { ...namesOf(plan), sheet: null }, namespacesOf(part, path)));
  return writePackage(source, edits.changed, edits.added);
}

const namesOf = ({ marks, removed, hidden }: MarkPlan) => ({
  removed,
  hidden,
  added: marks.flatMap(({ name }) => name ?? []),
});

/** Returns the file without the texts of its own tables of inputs and outputs; the tables themselves remain. */
async function withoutPortalTables(
  source: WorkbookPackage,
  model: WorkbookModel,
): Promise<[WorkbookPackage, WorkbookModel]> {
  const constants = ownTables(model).flatMap(({ sheet, block }) =>
    Array.from({ length: block.bottom - block.top + 1 }, (_, row) =>
      Array.from({ length: block.right - block.left + 1 }, (__, col) => ({
        sheet,
        row: block.top + row,
        col: block.left + col,
        value: null,
      })),
    ).flat(),
  );
  if (constants.length === 0) return [source, model];
  const cleared = await openPackage(await writeBack(source, model, { constants }));
  return [cleared, readWorkbook(cleared)];
}

async function writeWhole(
  source: WorkbookPackage,
  model: WorkbookModel,
  plan: MarkPlan,
  tables: readonly PortalTable[],
): Promise<Uint8Array> {
  const edits = new PackageEdits(source);
  const path = workbookPath(source);
  const namespaces = namespacesOf(edits.part(path)!, path);
  for (const table of ownTables(model)) removeTable(edits, model, table, source);
  const own = emptySheetOf(model);
  const sheet = tables.length === 0 ? null : addSheet(edits, { path, model, tables, namespaces, replaced: own });
  const part = edits.part(path)!;
  edits.set(path, editWorkbookPart(part, path, { ...namesOf(plan), sheet }, namespaces));
  return writePackage(source, edits.changed, edits.added);
}

function removeTable(
  edits: PackageEdits,
  model: WorkbookModel,
  { part, sheet }: TableModel,
  source: WorkbookPackage,
): void {
  const sheetPart = model.sheets[sheet]!.part;
  const relationship = readRelationships(source, sheetPart, READER_LIMITS).find(
    ({ target }) => target.toLowerCase() === part.toLowerCase(),
  );
  edits.leaveOut(part);
  if (!relationship) return;
  edits.removeElements(
    relationshipsPath(sheetPart),
    (xml) => xml.name === 'Relationship' && xml.attribute('Id') === relationship.id,
  );
  edits.removeElements(sheetPart, (xml) => xml.name === 'tablePart' && xml.prefixedAttribute('id') === relationship.id);
  removeEmptyTableParts(edits, sheetPart);
}

/** Removes an empty list of table parts, otherwise corrects its count: Excel refuses a list whose count is wrong. */
function removeEmptyTableParts(edits: PackageEdits, sheetPart: string): void {
  let left = 0;
  edits.eachElement(sheetPart, (xml) => {
    if (xml.name === 'tablePart') left += 1;
  });
  if (left === 0) edits.removeElements(sheetPart, (xml) => xml.name === 'tableParts');
  else edits.setAttribute(sheetPart, 'tableParts', 'count', String(left));
}

/** Returns a sheet that contained only those tables, so that the new ones can replace them there. */
function emptySheetOf(model: WorkbookModel): string | null {
  const sheets = new Set(ownTables(model).map(({ sheet }) => sheet));
  if (sheets.size !== 1) return null;
  const [index] = sheets;
  const { cells, part } = model.sheets[index!]!;
  const hasOthers = model.tables.some((table) => table.sheet === index && !PORTAL_TABLES.has(table.name.toLowerCase()));
  // The cells of the tables were cleared before.
  const isBlank = cells.kinds.every((kind) => kind === 0) && cells.formulas.every((formula) => formula < 0);
  return hasOthers || !isBlank ? null : part;
}

interface NewSheet {
  path: string;
  model: WorkbookModel;
  tables: readonly PortalTable[];
  namespaces: Namespaces;
  /** Part of the sheet to rewrite; null for a new sheet. */
  replaced: string | null;
}

/** Returns the entry for the list of sheets; null if the sheet is already listed. */
function addSheet(
  edits: PackageEdits,
  { path, model, tables, namespaces, replaced }: NewSheet,
): { name: string; relationshipId: string } | null {
  const { main, relationships } = namespaces;
  const xml = portalSheetXml(tables, namespaces);
  const part = replaced ?? edits.freePath('xl/worksheets/sheet', '.xml');
  if (replaced === null) edits.add(part, xml, `${TYPE}worksheet+xml`);
  else {
    edits.set(part, Buffer.from(xml));
    edits.removeElements(relationshipsPath(part), (element) => element.name === 'Relationship');
  }
  const tops = tableTops(tables);
  const firstId = lastTableId(edits, model) + 1;
  const ids = tables.map((table, index) => {
    const tablePart = edits.freePath('xl/tables/table', '.xml');
    edits.add(tablePart, portalTableXml(table, tops[index]!, firstId + index, main), `${TYPE}table+xml`);
    return edits.relate(part, `${relationships}/table`, tablePart);
  });
  if (ids.some((id, index) => id !== `rId${index + 1}`))
    throw new Error('The relationships of the Portal sheet are not numbered from 1');
  if (replaced !== null) return null;
  return { name: freeSheetName(model), relationshipId: edits.relate(path, `${relationships}/worksheet`, part) };
}

function lastTableId(edits: PackageEdits, model: WorkbookModel): number {
  let last = 0;
  for (const { part } of model.tables)
    edits.eachElement(part, (xml) => {
      if (xml.name === 'table') last = Math.max(last, Number(xml.attribute('id')) || 0);
    });
  return last;
}
