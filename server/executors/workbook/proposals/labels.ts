/**
 * Finds the text that names a cell: to its left, above it, or as the heading above the labels. Also derives defined
 * names from it.
 */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import type { Label } from './candidate.ts';
import { Content } from './sheet-grid.ts';
import type { SheetGrid } from './sheet-grid.ts';

/** How many columns to the left, and rows above, are searched for a label. */
const MAX_LEFT = 8;
const MAX_ABOVE = 6;
/** A label more than this many columns to the left loses to one directly above. */
const FAR_LEFT = 5;
/** Maximum length of a symbol between a label and its value: 'Length', 'L', 5. */
const SYMBOL = 3;
const MAX_LABEL = 120;
const MAX_NAME = 60;

/**
 * Finds the label of one cell. A label on the left has priority over one above, unless it is far away and the other is
 * directly above.
 */
export function cellLabel(grid: SheetGrid, block: CellBlock): Label | null {
  const left = leftLabel(grid, block.top, block.left);
  const above = aboveLabel(grid, block.top, block.left);
  if (left && above && block.left - left.col > FAR_LEFT && block.top - above.row === 1) return above;
  return (
    left ?? above ?? rowLabel(grid, block.top, block.left) ?? rightLabel(grid, block) ?? diagonalLabel(grid, block)
  );
}

/**
 * Finds the label of a block: the heading above its first cell, then the label on the left, then the heading diagonally
 * above.
 */
export function blockLabel(grid: SheetGrid, block: CellBlock, headerRows: number): Label | null {
  const top = block.top - headerRows;
  const heading = headingAbove(grid, top, block);
  if (heading) return heading;
  const isColumn = block.left === block.right;
  if (headerRows > 0 && isColumn) {
    const header = textLabel(grid, top, block.left, 'above');
    if (header) return header;
  }
  if (headerRows === 0 && isColumn) {
    return (
      aboveLabel(grid, block.top, block.left) ?? diagonalLabel(grid, block) ?? leftLabel(grid, block.top, block.left)
    );
  }
  const left = leftLabel(grid, block.top, block.left);
  const isRowLabel = left !== null && block.bottom > block.top && grid.text(grid.at(left.row + 1, left.col)) !== '';
  return (
    (isRowLabel ? null : left) ??
    diagonalLabel(grid, { ...block, top }) ??
    sheetLabel(grid, block) ??
    (headerRows > 0 ? textLabel(grid, top, block.left, 'above') : aboveLabel(grid, block.top, block.left)) ??
    left
  );
}

/** Returns the name of the sheet, unless it is a default name. */
function sheetLabel({ model: { name } }: SheetGrid, { top, left }: CellBlock): Label | null {
  const isDefaultName =
    /^(?:sheet|tabelle|feuil|hoja|лист|plan|planilha|foglio|blad|arkusz|sayfa|worksheet|工作表|シート)\s*\d*$/i.test(
      name,
    );
  if (isDefaultName || /www\.|\.com|^\d+$/i.test(name)) return null;
  return { row: top, col: left, text: name.trim(), raw: name, unit: null, at: 'above' };
}

export function leftLabel(grid: SheetGrid, row: number, left: number): Label | null {
  for (let col = left - 1; col >= Math.max(0, left - MAX_LEFT); col--) {
    const merge = grid.mergeAt(row, col);
    if (merge) col = merge.left;
    const at = grid.at(merge?.top ?? row, col);
    const content = grid.content(at);
    if (content === Content.Blank) continue;
    const text = grid.text(at);
    if (text === '') return null;
    if (isUnitOnly(text)) continue;
    const words = text.length <= SYMBOL && !grid.mergeAt(row, col - 1) ? grid.text(grid.at(row, col - 1)) : '';
    return words.length > SYMBOL && !isUnitOnly(words)
      ? labelOf(words, row, col - 1, 'left')
      : labelOf(text, merge?.top ?? row, col, 'left');
  }
  return null;
}

/** Returns the first text to the left in the row, whatever is in between. */
export function rowLabel(grid: SheetGrid, row: number, left: number): Label | null {
  for (let col = left - 1; col >= Math.max(0, left - 2 * MAX_LEFT); col--) {
    const merge = grid.mergeAt(row, col);
    const text = grid.text(grid.at(merge?.top ?? row, merge?.left ?? col));
    if (text !== '' && !isUnitOnly(text)) return labelOf(text, merge?.top ?? row, merge?.left ?? col, 'left');
  }
  return null;
}

/**
 * Returns a text to the right of the value, for values without another label. Short texts are units and do not count.
 */
function rightLabel(grid: SheetGrid, { top, right }: CellBlock): Label | null {
  const text = grid.text(grid.at(top, right + 1));
  return text.length > 10 ? labelOf(text, top, right + 1, 'right') : null;
}

/** Returns the first text above, unless other cells are in between. */
export function aboveLabel(grid: SheetGrid, top: number, col: number, maxRows = MAX_ABOVE): Label | null {
  for (let row = top - 1; row >= Math.max(0, top - maxRows); row--) {
    const merge = grid.mergeAt(row, col);
    const at = grid.at(merge?.top ?? row, merge?.left ?? col);
    if (grid.content(at) === Content.Blank) continue;
    const text = grid.text(at);
    return text === '' || isUnitOnly(text) ? null : labelOf(text, merge?.top ?? row, merge?.left ?? col, 'above');
  }
  return null;
}

/** Returns a text above the labels: one or two rows up, to the left. */
function diagonalLabel(grid: SheetGrid, { top, left }: CellBlock): Label | null {
  for (let row = top - 1; row >= Math.max(0, top - 2); row--) {
    for (let col = left - 1; col >= Math.max(0, left - 3); col--) {
      // A text with a value beside it names that value.
      const found = grid.contentAt(row, col + 1) === Content.Blank ? textLabel(grid, row, col, 'diagonal') : null;
      if (found) return found;
    }
  }
  return null;
}

/** Returns a text that is alone above the block or just left of it, at most two rows up. */
function headingAbove(grid: SheetGrid, top: number, { left, right }: CellBlock): Label | null {
  for (let row = top - 1; row >= Math.max(0, top - 2); row--) {
    const over = filledColumns(grid, row, left, Math.min(right, left + 12));
    if (over.length === 1) return textLabel(grid, row, over[0]!, 'above');
    if (over.length > 1) return null;
    const beside = filledColumns(grid, row, Math.max(0, left - 3), left - 1);
    if (beside.length > 0) return beside.length === 1 ? textLabel(grid, row, beside[0]!, 'diagonal') : null;
  }
  return null;
}

function filledColumns(grid: SheetGrid, row: number, left: number, right: number): number[] {
  const filled: number[] = [];
  for (let col = left; col <= right; col++) {
    if (grid.contentAt(row, col) !== Content.Blank) filled.push(col);
  }
  return filled;
}

function textLabel(grid: SheetGrid, row: number, col: number, where: Label['at']): Label | null {
  const merge = grid.mergeAt(row, col);
  const text = grid.text(grid.at(merge?.top ?? row, merge?.left ?? col));
  return text === '' || isUnitOnly(text) ? null : labelOf(text, row, col, where);
}

function labelOf(text: string, row: number, col: number, at: Label['at']): Label | null {
  if (text.length > MAX_LABEL) return null;
  const { name, unit } = splitUnit(text);
  return name === '' ? null : { row, col, text: name, unit, at, raw: text };
}

/** Returns true for marks and short units beside a value, which do not name it. */
function isUnitOnly(text: string): boolean {
  return !/\p{L}_?\p{L}|\p{L}\d|\d\p{L}/u.test(text) && !/^\p{Lu}$|^\p{L}$/u.test(text);
}

/** After a comma or 'in', only a text that is certainly a unit counts as one. */
const UNITS =
  /^(?:%|€|\$|£|°[CF]?|k?g|mg|t|lbs?|oz|k?m|cm|mm|µm|nm|ft|in|m[²³23]|km\/h|m\/s|s|sec|min|h|hrs?|d|days|months|years|Jahre|Monate|k?V|mV|m?A|k?W|MW|kWh|k?Hz|MHz|GHz|Ω|k?Ohm|l|ml|k?Pa|MPa|bar|k?N|k?J|p\.?a\.?|T?EUR|T€|USD|GBP|CHF|INR|pcs|Stk\.?|Stück)$/u;

/** Splits 'Interest rate (p.a.):' into the name 'Interest rate' and the unit 'p.a.'. */
export function splitUnit(text: string): { name: string; unit: string | null } {
  const plain = text
    .replace(/[\s*:=→»?]+$/u, '')
    .replace(/^[\s*•·\-–—→»]+/u, '')
    .trim();
  const match = /^(.*\S)\s*[([]([^()[\]]{1,24})[)\]]\s*:?$/u.exec(plain);
  if (match) return { name: match[1]!.replace(/[\s:*]+$/u, ''), unit: match[2]!.trim() };
  const afterComma = /^(.*\S),\s+(\S{1,8})$/u.exec(plain);
  if (afterComma && UNITS.test(afterComma[2]!)) return { name: afterComma[1]!, unit: afterComma[2]! };
  const perYear = /^(.*\S)\s+(p\.\s?a\.?)$/iu.exec(plain);
  if (perYear) return { name: perYear[1]!, unit: perYear[2]! };
  const afterIn = /^(.*\S)\s+in\s+(\S{1,8})$/u.exec(plain);
  if (afterIn && UNITS.test(afterIn[2]!)) return { name: afterIn[1]!, unit: afterIn[2]! };
  const remark = /^(.*\S{2})\s*\([^()]{25,}\)$/u.exec(plain);
  return { name: remark ? remark[1]! : plain, unit: null };
}

/** Returns the part of a defined name after 'in_' or 'out_': letters, digits, '_' and '.'; '' if nothing remains. */
export function definedName(text: string): string {
  return text
    .normalize('NFC')
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .slice(0, MAX_NAME)
    .replace(/^_+|_+$/g, '');
}

/** Counts the header rows directly above: a row of texts, years or dates, one for each column. */
export function headerRowsOver(grid: SheetGrid, { top, left, right }: CellBlock): number {
  if (left === right) return 0;
  for (let col = left; col <= right; col++) {
    if (grid.contentAt(top - 1, col) === Content.Blank) return 0;
  }
  return 1;
}
