/**
 * Updates pivot tables: their sources follow resized tables. Excel is told to refresh them if their cached records are
 * out of date.
 */
import { formatBlock, parseBlock } from '#shared/codecs/cell-address.ts';
import { cellAt, sameValue, savedValue } from '#server/calculation/reader/cell-index.ts';
import { READER_LIMITS } from '#server/calculation/reader/reader-limits.ts';
import { readRelationships } from '#server/calculation/reader/relationships.ts';
import { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import { toUtf8 } from '#server/calculation/reader/xml-text.ts';
import type { SheetBlock } from '#server/calculation/graph/scope.ts';
import { applyEdits, attributeEdit } from './byte-edits.ts';
import type { ByteEdit } from './byte-edits.ts';
import type { ChangeSet } from './change-set.ts';
import { parseReference, ReferenceAreas } from './charts/reference-areas.ts';
import type { Notice } from './charts/write-charts.ts';
import { followTable } from './grown-references.ts';
import type { ResizedTable } from './grown-references.ts';
import type { WorkbookPackage } from './package.ts';

/** `workbook` is the path of the workbook part. */
export function writePivotSources(
  source: WorkbookPackage,
  workbook: string,
  changes: ChangeSet,
  resized: readonly ResizedTable[],
  changed: Map<string, Uint8Array | null>,
  notice: Notice,
): void {
  if (resized.length === 0 && changes.sheets.size === 0) return;
  const areas = new ReferenceAreas(changes.model, resized);
  for (const { type, target, external } of readRelationships(source, workbook, READER_LIMITS)) {
    const part = type === 'pivotCacheDefinition' && !external ? source.part(target) : undefined;
    if (!part) continue;
    try {
      const bytes = toUtf8(part, target);
      const edits = sourceEdits(new XmlScanner(bytes, target), changes, resized, areas);
      if (edits.length > 0) changed.set(target.toLowerCase(), applyEdits(bytes, edits));
    } catch (error) {
      if (!(error instanceof WorkbookFileError)) throw error;
      notice(`The source of a pivot table, ${target}, stays as it is in the file: ${error.message}`);
    }
  }
}

function sourceEdits(
  xml: XmlScanner,
  changes: ChangeSet,
  resized: readonly ResizedTable[],
  areas: ReferenceAreas,
): ByteEdit[] {
  const edits: ByteEdit[] = [];
  let refresh: ByteEdit | null = null;
  let isOutOfDate = false;
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token !== XmlToken.Open) continue;
    if (xml.name === 'pivotCacheDefinition')
      refresh = xml.flag('refreshOnLoad') ? null : attributeEdit(xml, 'refreshOnLoad', '1');
    else if (xml.name === 'worksheetSource' || xml.name === 'rangeSet') {
      isOutOfDate = followSource(xml, changes, resized, areas, edits) || isOutOfDate;
    } else if (xml.name === 'cacheFields') break;
  }
  return isOutOfDate && refresh ? [refresh, ...edits] : edits;
}

/** Updates the source, and returns true if the cached records no longer match it. */
function followSource(
  xml: XmlScanner,
  changes: ChangeSet,
  resized: readonly ResizedTable[],
  areas: ReferenceAreas,
  edits: ByteEdit[],
): boolean {
  // The source is in another workbook.
  if (xml.prefixedAttribute('id') !== undefined) return false;
  const { model } = changes;
  const sheetName = xml.attribute('sheet');
  const sheet = model.sheets.findIndex(({ name }) => name.toLowerCase() === sheetName?.toLowerCase());
  const index = xml.attributeIndex('ref');
  const block = index < 0 ? null : parseBlock(xml.attributeValue(index));
  if (!block || sheet < 0) {
    const name = xml.attribute('name');
    return name !== undefined && isNamedOutOfDate(name, sheet < 0 ? null : sheet, changes, resized, areas);
  }
  let followed = block;
  for (const table of resized) if (table.table.sheet === sheet) followed = followTable(followed, table);
  if (followed !== block) {
    edits.push({ start: xml.valueStarts[index]!, end: xml.valueEnds[index]!, text: formatBlock(followed) });
  }
  return followed !== block || hasChanged(changes, { sheet, block });
}

/** Handles a source that is given by the name of a table or a defined name. */
function isNamedOutOfDate(
  name: string,
  sheet: number | null,
  changes: ChangeSet,
  resized: readonly ResizedTable[],
  areas: ReferenceAreas,
): boolean {
  const key = name.toLowerCase();
  if (resized.some(({ table }) => table.name.toLowerCase() === key)) return true;
  const table = changes.model.tables.find((candidate) => candidate.name.toLowerCase() === key);
  if (table) return hasChanged(changes, table);
  const tree = parseReference(name);
  const found = tree && areas.of(tree, sheet);
  // If only a calculation could resolve the name, assume that it changed.
  if (!found) return true;
  const isResized = (area: SheetBlock): boolean =>
    resized.some((each) => each.table.sheet === area.sheet && overlaps(area, each));
  return found.some((area) => isResized(area) || hasChanged(changes, area));
}

const overlaps = ({ block }: SheetBlock, { table, oldBottom, newBottom }: ResizedTable): boolean =>
  block.left <= table.block.right &&
  block.right >= table.block.left &&
  block.top <= Math.max(oldBottom, newBottom) &&
  block.bottom >= table.block.top;

/** Returns true if a cell of the area, as stored in the file, has a new value. */
function hasChanged({ sheets, model }: ChangeSet, { sheet, block }: SheetBlock): boolean {
  const { cells } = model.sheets[sheet]!;
  for (const [row, changed] of sheets.get(sheet) ?? []) {
    if (row < block.top || row > block.bottom) continue;
    for (const [col, { value }] of changed) {
      if (col < block.left || col > block.right || value === undefined) continue;
      const at = cellAt(cells, row, col);
      if (!sameValue(at < 0 ? null : savedValue(cells, at, model.strings), value)) return true;
    }
  }
  return false;
}
