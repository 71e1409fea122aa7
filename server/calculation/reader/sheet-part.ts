/** Reads one worksheet: its cells, and the data around them that the program needs. */
import { MAX_COLS, parseCell } from '#shared/codecs/cell-address.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { readValidation } from './data-validations.ts';
import type { BlockBudget } from './data-validations.ts';
import { readRelationships } from './relationships.ts';
import type { Relationship, WorkbookParts } from './relationships.ts';
import { readRichText } from './rich-text.ts';
import { isOfWps } from './saving-program.ts';
import { SheetCellsReader } from './sheet-cells.ts';
import type { ReadingContext } from './sheet-cells.ts';
import type { CellNote, DataValidation, SheetModel } from './workbook-model.ts';
import { XmlScanner, XmlToken } from './xml-scanner.ts';
import { toUtf8 } from './xml-text.ts';

export interface SheetEntry {
  name: string;
  part: string;
  visibility: SheetModel['visibility'];
  /** False for chart sheets and the like, which have a position among the sheets but no cells. */
  isWorksheet: boolean;
}

/** Elements of a filter that is in use; a column of a filter may have none. Source: ECMA-376 part 1, 18.3.2. */
export const FILTERS: ReadonlySet<string> = new Set([
  'filters',
  'top10',
  'customFilters',
  'dynamicFilter',
  'colorFilter',
  'iconFilter',
]);

/** Reads cells, merges and validations of `bytes` (UTF-8), and the paths of the sheet's tables and pivot tables. */
export function readSheet(
  parts: WorkbookParts,
  entry: SheetEntry,
  bytes: Uint8Array,
  context: ReadingContext,
  budget: BlockBudget,
): { sheet: SheetModel; tablePaths: string[]; pivotPaths: string[]; isOfWps: boolean } {
  const xml = new XmlScanner(bytes, entry.part, context.limits);
  const cells = new SheetCellsReader(xml, entry.name, context);
  const relationships = readRelationships(parts, entry.part, context.limits);
  const merges: CellBlock[] = [];
  const validations: DataValidation[] = [];
  const columns: SheetColumns = { columnStyles: [], hiddenColumns: [] };
  const tablePaths: string[] = [];
  const filters: CellBlock[] = [];
  let filtered: CellBlock[] = [];
  let fromWps = false;
  let isProtected = false;
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token !== XmlToken.Open) continue;
    if (xml.name === 'sheetData') cells.read();
    else if (xml.name === 'col') readColumn(xml, columns, context.styleCount);
    else if (xml.name === 'mergeCell') merges.push(...budget.parse(xml.attribute('ref') ?? ''));
    else if (xml.name === 'dataValidation') validations.push(readValidation(xml, budget, context.limits));
    else if (xml.name === 'autoFilter') filtered = budget.parse(xml.attribute('ref') ?? '');
    else if (FILTERS.has(xml.name)) filters.push(...filtered.splice(0));
    else if (xml.name === 'sheetProtection') isProtected = xml.flag('sheet');
    else if (xml.name === 'tablePart') addTable(xml, relationships, tablePaths);
    else if (xml.name === 'worksheet') fromWps ||= isOfWps(xml);
  }
  const hiddenRows = Uint32Array.from(cells.hiddenRows).sort();
  const { name, part, visibility } = entry;
  const notes = readNotes(parts, relationships, context);
  const sheet = {
    name,
    part,
    visibility,
    cells: cells.store.finish(),
    merges,
    validations,
    notes,
    hiddenRows,
    filters,
    ...(isProtected ? { isProtected } : {}),
  };
  const pivots = relationships.filter(({ type, external }) => type === 'pivotTable' && !external);
  const pivotPaths = pivots.map(({ target }) => target);
  return { sheet: { ...sheet, ...columns, rowStyles: cells.rowStyles }, tablePaths, pivotPaths, isOfWps: fromWps };
}

/** Returns a sheet without cells. */
export function emptySheet(entry: SheetEntry, context: ReadingContext): SheetModel {
  const xml = new XmlScanner(new Uint8Array(), entry.part, context.limits);
  const { store, rowStyles } = new SheetCellsReader(xml, entry.name, context);
  const { name, part, visibility } = entry;
  const nothing = { merges: [], validations: [], notes: [], hiddenRows: new Uint32Array() };
  return { name, part, visibility, cells: store.finish(), ...nothing, hiddenColumns: [], columnStyles: [], rowStyles };
}

type SheetColumns = Pick<SheetModel, 'columnStyles' | 'hiddenColumns'>;

function readColumn(xml: XmlScanner, { columnStyles, hiddenColumns }: SheetColumns, styleCount: number): void {
  const style = Number(xml.attribute('style') ?? 0);
  const first = Number(xml.attribute('min')) - 1;
  const last = Math.min(Number(xml.attribute('max')), MAX_COLS) - 1;
  if (!(first >= 0 && last >= first)) return;
  if (style > 0 && style < styleCount) columnStyles.push({ first, last, style });
  if (xml.flag('hidden')) hiddenColumns.push({ first, last });
}

function addTable(xml: XmlScanner, relationships: readonly Relationship[], paths: string[]): void {
  const id = xml.prefixedAttribute('id');
  const table = relationships.find((relationship) => relationship.id === id && !relationship.external);
  if (table) paths.push(table.target);
}

/**
 * Reads the notes of the sheet. For a threaded comment, Excel also stores a note for older versions that begins with an
 * explanation; the first text of the thread replaces it.
 */
function readNotes(parts: WorkbookParts, relationships: readonly Relationship[], context: ReadingContext): CellNote[] {
  const notes = new Map<string, string>();
  const threaded = new Set<string>();
  const read = (type: string, element: string, textElement: string) => {
    for (const { target, external } of relationships.filter((relationship) => relationship.type === type)) {
      const bytes = external ? undefined : parts.part(target);
      if (!bytes) continue;
      const xml = new XmlScanner(toUtf8(bytes, target), target, context.limits);
      let ref = '';
      for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
        if (token !== XmlToken.Open) continue;
        if (xml.name === element) ref = xml.attribute('ref') ?? '';
        else if (xml.name === textElement && ref !== '' && !threaded.has(ref)) {
          notes.set(ref, element === 'comment' ? readRichText(xml) : xml.leaf());
          if (element !== 'comment') threaded.add(ref);
        }
      }
    }
  };
  read('comments', 'comment', 'text');
  read('threadedComment', 'threadedComment', 'text');
  return [...notes].flatMap(([ref, text]) => {
    const cell = parseCell(ref);
    return cell ? [{ ...cell, text }] : [];
  });
}
