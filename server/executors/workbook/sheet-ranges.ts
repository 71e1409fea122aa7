/**
 * Updates the ranges that a sheet part declares outside its cells: validations, conditional formats, filters and
 * sparklines, including those in extensions (x14). They follow resized tables as formulas do.
 */
import { formatBlock, parseBlock } from '#shared/codecs/cell-address.ts';
import type { WorkbookModel } from '#server/calculation/reader/workbook-model.ts';
import type { XmlScanner } from '#server/calculation/reader/xml-scanner.ts';
import { escapeXml } from '#shared/codecs/xml-escapes.ts';
import type { ByteEdit } from './byte-edits.ts';
import { followTables } from './grown-references.ts';
import type { ResizedTable } from './grown-references.ts';
import { writeSparklines } from './sparklines.ts';
import { followRange } from './table-resize.ts';
import type { SheetFollower } from './sheet-follower.ts';

export function sheetFollower(
  model: WorkbookModel,
  sheet: number,
  resized: readonly ResizedTable[],
): SheetFollower | null {
  if (resized.length === 0) return null;
  const own = resized.filter(({ table }) => table.sheet === sheet);
  return {
    own,
    range: followRange(own),
    // Relative references are based on the first cell of a range. Reading them at A1 keeps their distances the same.
    formula: (text) => followTables(text, { row: 0, col: 0 }, sheet, model, resized),
  };
}

/** Attributes that hold ranges, by element. Each may hold several ranges, separated by blanks. */
export const RANGES: ReadonlyMap<string, string> = new Map([
  ['dataValidation', 'sqref'],
  ['conditionalFormatting', 'sqref'],
  ['ignoredError', 'sqref'],
  ['protectedRange', 'sqref'],
  ['autoFilter', 'ref'],
  ['sortState', 'ref'],
  ['sortCondition', 'ref'],
]);
export const FORMULAS: ReadonlySet<string> = new Set(['formula', 'formula1', 'formula2', 'f']);

/**
 * Call at an Open outside the cells. Adds the edits that its attributes and texts need, and moves past what it has
 * read.
 */
export function rangeEdits(xml: XmlScanner, follower: SheetFollower, edits: ByteEdit[]): void {
  const attribute = RANGES.get(xml.name);
  if (attribute !== undefined) followAttribute(xml, attribute, edits, (text) => followList(text, follower));
  else if (xml.name === 'cfvo' && xml.attribute('type') === 'formula')
    followAttribute(xml, 'val', edits, (text) => follower.formula(text));
  else if (xml.name === 'sparklineGroup') writeSparklines(xml, follower, edits);
}

/** Call at a Text outside the cells; `element` is its parent element. */
export function textEdit(xml: XmlScanner, element: string, follower: SheetFollower): ByteEdit | null {
  if (element !== 'sqref' && !FORMULAS.has(element)) return null;
  const old = xml.text();
  const text = element === 'sqref' ? followList(old, follower) : follower.formula(old);
  return text === null ? null : { start: xml.start, end: xml.end, text: escapeXml(text) };
}

function followAttribute(
  xml: XmlScanner,
  name: string,
  edits: ByteEdit[],
  follow: (text: string) => string | null,
): void {
  const index = xml.attributeIndex(name);
  const text = index < 0 ? null : follow(xml.attributeValue(index));
  if (text !== null) edits.push({ start: xml.valueStarts[index]!, end: xml.valueEnds[index]!, text: escapeXml(text) });
}

function followList(list: string, follower: SheetFollower): string | null {
  const text = list.replace(/\S+/g, (ref) => {
    const block = parseBlock(ref);
    const followed = block && follower.range(block);
    return followed && followed !== block ? formatBlock(followed) : ref;
  });
  return text === list ? null : text;
}
