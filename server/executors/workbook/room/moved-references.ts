/**
 * Updates references to cells in the parts of a workbook, outside the cells themselves. Lists where each element type
 * stores them, and how they follow an insertion.
 */
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import { escapeAttribute, escapeXml } from '#shared/codecs/xml-escapes.ts';
import type { Scope } from '#server/calculation/graph/scope.ts';
import type { PlacedFormula } from '#server/calculation/placed-formula.ts';
import { printFormula } from '#server/calculation/syntax/printer.ts';
import { insertedBlock, insertIntoTree, isWholeRows, tearsBlock } from '#server/calculation/tables/insert-cells.ts';
import type { CellInsertion, SheetNames } from '#server/calculation/tables/insert-cells.ts';
import { formatBlock, parseBlock } from '#shared/codecs/cell-address.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { ByteEdit } from '../byte-edits.ts';
import { NO_CELL } from '../charts/reference-areas.ts';
import { FORMULAS, RANGES } from '../sheet-ranges.ts';
import { movedTo } from './moved-formulas.ts';
import { treeOf } from './placed-records.ts';

/** Updates the references of one part. Each function returns null if nothing changes. */
export interface MovedReferences {
  /** Updates a list of blocks of the part's own sheet. */
  ranges(text: string): string | null;
  /** Updates a list of blocks of the named sheet. */
  rangesOf(sheet: string, text: string): string | null;
  /** Updates a formula of the part; without '='. */
  formula(text: string): string | null;
  /** Whole rows inserted into the part's own sheet; null if there are none. */
  rows: { row: number; count: number } | null;
}

/** `sheet` is the sheet of the part; null for parts of the whole workbook. */
export function movedReferences(
  sheet: number | null,
  insertion: CellInsertion,
  names: SheetNames & Pick<Scope, 'sheetIndex'>,
): MovedReferences {
  const isOwn = sheet === insertion.sheet;
  return {
    ranges: (text) => (isOwn ? movedList(text, insertion) : null),
    rangesOf: (name, text) => (names.sheetIndex(name) === insertion.sheet ? movedList(text, insertion) : null),
    formula: (text) => movedText(text, sheet, insertion, names),
    rows: isOwn && isWholeRows(insertion) ? insertion : null,
  };
}

/**
 * Updates a formula that is not in a cell. All such formulas can be read, because the insertion would otherwise not
 * have been planned.
 */
export function movedText(
  text: string,
  sheet: number | null,
  insertion: CellInsertion,
  names: SheetNames,
): string | null {
  if (!/\d/.test(text)) return null;
  const tree = treeOf(text.replace(/^=/, ''), NO_CELL);
  const at = { from: NO_CELL, to: NO_CELL };
  const moved = tree && insertIntoTree(tree, sheet ?? -1, at, insertion, names);
  return moved === tree || !moved ? null : `${text.startsWith('=') ? '=' : ''}${printFormula(moved, NO_CELL)}`;
}

/** Moves a formula that is not in a cell from the version to a layout with these insertions. */
export function placedIn(
  { text, sheet, base }: PlacedFormula,
  insertions: readonly CellInsertion[],
  names: SheetNames,
): PlacedFormula {
  return insertions.reduce(
    (before, insertion) => ({
      text: movedText(before.text, sheet, insertion, names) ?? before.text,
      sheet,
      base: movedTo(sheet, before.base, insertion),
    }),
    { text, sheet, base },
  );
}

function movedList(list: string, insertion: CellInsertion): string | null {
  const text = list.replace(/\S+/g, (ref) => {
    const block = parseBlock(ref);
    if (!block) return ref;
    const blocks = movedBlocks(block, insertion);
    return blocks.length === 1 && blocks[0] === block ? ref : blocks.map(formatBlock).join(' ');
  });
  return text === list ? null : text;
}

/** A block wider than the new cells is split, as its cells are. */
function movedBlocks(block: CellBlock, insertion: CellInsertion): CellBlock[] {
  if (!tearsBlock(block, insertion)) return [insertedBlock(block, insertion)];
  const { left, right } = insertion;
  const middle = { ...block, left: Math.max(block.left, left), right: Math.min(block.right, right) };
  const moved = insertedBlock(middle, insertion);
  if (moved === middle) return [block];
  return [
    ...(block.left < left ? [{ ...block, right: left - 1 }] : []),
    moved,
    ...(block.right > right ? [{ ...block, left: right + 1 }] : []),
  ];
}

/** Attributes with ranges, by element. */
const MOVED_RANGES: ReadonlyMap<string, string> = new Map([
  ...RANGES,
  ['mergeCell', 'ref'],
  ['hyperlink', 'ref'],
  ['cellWatch', 'r'],
  ['inputCells', 'r'],
  ['cellSmartTags', 'r'],
  ['table', 'ref'],
  ['location', 'ref'],
  ['comment', 'ref'],
  ['threadedComment', 'ref'],
]);

/** Elements with a range on the sheet that they name. A source in another workbook has an id. */
const NAMED_RANGES: ReadonlySet<string> = new Set(['worksheetSource', 'rangeSet', 'dataRef']);

/** Attributes with formulas, by element. */
const MOVED_FORMULAS: ReadonlyMap<string, readonly string[]> = new Map([
  ['hyperlink', ['location']],
  ['controlPr', ['linkedCell', 'listFillRange']],
  ['formControlPr', ['fmlaLink', 'fmlaRange', 'fmlaGroup', 'fmlaTxbx']],
  ['sp', ['textlink']],
  ['cameraTool', ['cellRange']],
  ['parameter', ['cell']],
]);

/** Elements whose text is a formula. */
const MOVED_TEXTS: ReadonlySet<string> = new Set([
  ...FORMULAS,
  'calculatedColumnFormula',
  'totalsRowFormula',
  'nf',
  'FmlaLink',
  'FmlaRange',
  'FmlaGroup',
  'FmlaPict',
  'FmlaTxbx',
]);

/** Call at an Open outside of cells. Adds the edits of its attributes. */
export function attributeEdits(xml: XmlScanner, references: MovedReferences, edits: ByteEdit[]): void {
  const found: ByteEdit[] = [];
  const follow = (name: string, change: (text: string) => string | null): void => {
    const index = xml.attributeIndex(name);
    const text = index < 0 ? null : change(xml.attributeValue(index));
    if (text !== null)
      found.push({ start: xml.valueStarts[index]!, end: xml.valueEnds[index]!, text: escapeAttribute(text) });
  };
  const range = MOVED_RANGES.get(xml.name);
  if (range !== undefined) follow(range, (text) => references.ranges(text));
  if (NAMED_RANGES.has(xml.name) && xml.prefixedAttribute('id') === undefined)
    follow('ref', (text) => references.rangesOf(xml.attribute('sheet') ?? '', text));
  for (const name of MOVED_FORMULAS.get(xml.name) ?? []) follow(name, (text) => references.formula(text));
  if (xml.name === 'cfvo' && xml.attribute('type') === 'formula') follow('val', (text) => references.formula(text));
  const { rows } = references;
  // The id of a break is the 1-based number of the row above it.
  if (xml.name === 'brk' && rows)
    follow('id', (text) => (Number(text) >= rows.row ? String(Number(text) + rows.count) : null));
  edits.push(...found.sort((a, b) => a.start - b.start));
}

/** Call at a Text outside of cells; `element` is its parent element. */
export function textEdit(xml: XmlScanner, element: string, references: MovedReferences): ByteEdit | null {
  const isRange = element === 'sqref';
  if (!isRange && !MOVED_TEXTS.has(element)) return null;
  const old = xml.text();
  const text = isRange ? references.ranges(old) : references.formula(old);
  return text === null ? null : { start: xml.start, end: xml.end, text: escapeXml(text) };
}

/** Returns the edits of a part that contains no cells. */
export function partEdits(bytes: Uint8Array, part: string, references: MovedReferences): ByteEdit[] {
  const edits: ByteEdit[] = [];
  const xml = new XmlScanner(bytes, part);
  let element = '';
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token === XmlToken.Text) {
      const edit = textEdit(xml, element, references);
      if (edit) edits.push(edit);
    }
    element = token === XmlToken.Open ? xml.name : '';
    if (token === XmlToken.Open) attributeEdits(xml, references, edits);
  }
  return edits;
}
