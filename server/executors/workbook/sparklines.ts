/** Updates sparklines (MS-XLSX 2.6.33). Each is in one cell and plots the cells of a row or a column. */
import { formatCell, parseCell } from '#shared/codecs/cell-address.ts';
import type { CellPosition } from '#shared/codecs/cell-address.ts';
import type { Node } from '#server/calculation/syntax/ast.ts';
import { ParseError } from '#server/calculation/syntax/parse-error.ts';
import { parseFormula } from '#server/calculation/syntax/parser.ts';
import { printFormula } from '#server/calculation/syntax/printer.ts';
import { XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import type { XmlScanner } from '#server/calculation/reader/xml-scanner.ts';
import { escapeXml } from '#shared/codecs/xml-escapes.ts';
import { decodeUtf8 } from '#server/calculation/reader/xml-text.ts';
import type { ByteEdit } from './byte-edits.ts';
import type { ResizedTable } from './grown-references.ts';
import type { SheetFollower } from './sheet-follower.ts';

/** Maximum number of sparklines that one group gets for the new rows of a table. */
const MAX_NEW_SPARKLINES = 20_000;

interface TextSpan {
  start: number;
  end: number;
  text: string;
}

interface Sparkline {
  start: number;
  end: number;
  source: TextSpan | null;
  location: TextSpan | null;
}

/**
 * Processes a group from its Open to its Close. Sources follow as formulas do. A sparkline beside the totals row moves
 * with it. Sparklines of removed rows are removed. New rows get a sparkline over their own cells if the last row has
 * one.
 */
export function writeSparklines(xml: XmlScanner, follower: SheetFollower, all: ByteEdit[]): void {
  const edits: ByteEdit[] = [];
  const { depth } = xml;
  const sparklines: Sparkline[] = [];
  for (;;) {
    const token = xml.next();
    if (token === XmlToken.Close && xml.depth === depth) break;
    if (token !== XmlToken.Open) continue;
    if (xml.name === 'sparkline') sparklines.push(readSparkline(xml));
    // A formula of the group itself: the dates of its axis.
    else if (xml.name === 'f') followSource(readText(xml), follower, edits);
  }
  let left = sparklines.length;
  for (const sparkline of sparklines) {
    const at = sparkline.location && parseCell(sparkline.location.text.trim());
    const table = at && tableAround(at, follower.own);
    const isGone = at && table && at.row > table.newDataBottom && at.row <= table.oldDataBottom;
    // A group must not be empty, so its last sparkline stays.
    if (isGone && left > 1) {
      left -= 1;
      edits.push({ start: sparkline.start, end: sparkline.end, text: '' });
    } else writeSparkline(xml, sparkline, at, table, follower, edits);
  }
  all.push(...edits.sort((a, b) => a.start - b.start));
}

function readSparkline(xml: XmlScanner): Sparkline {
  const { start, depth } = xml;
  const found: Sparkline = { start, end: 0, source: null, location: null };
  for (;;) {
    const token = xml.next();
    if (token === XmlToken.Close && xml.depth === depth) break;
    if (token !== XmlToken.Open) continue;
    if (xml.name === 'f') found.source = readText(xml);
    else if (xml.name === 'sqref') found.location = readText(xml);
  }
  found.end = xml.end;
  return found;
}

function readText(xml: XmlScanner): TextSpan {
  const start = xml.end;
  const text = xml.leaf();
  return { start, end: Math.max(start, xml.start), text };
}

const tableAround = ({ row, col }: CellPosition, tables: readonly ResizedTable[]): ResizedTable | null =>
  tables.find(
    ({ table, dataTop, oldBottom }) =>
      col >= table.block.left && col <= table.block.right && row >= dataTop && row <= oldBottom,
  ) ?? null;

function writeSparkline(
  xml: XmlScanner,
  { start, end, source, location }: Sparkline,
  at: CellPosition | null,
  table: ResizedTable | null,
  follower: SheetFollower,
  edits: ByteEdit[],
): void {
  if (source) followSource(source, follower, edits);
  if (!location || !at || !table) return;
  if (at.row > table.oldDataBottom) {
    edits.push({
      start: location.start,
      end: location.end,
      text: formatCell(at.row - table.oldBottom + table.newBottom, at.col),
    });
    return;
  }
  const tree = source && parseRow(source.text);
  if (!tree || at.row !== table.oldDataBottom) return;
  const textBetween = (from: number, to: number): string => decodeUtf8(xml.bytes, from, to);
  const [first, second] = source.start < location.start ? [source, location] : [location, source];
  let text = '';
  for (let row = at.row + 1; row <= Math.min(table.newDataBottom, at.row + MAX_NEW_SPARKLINES); row++) {
    const own = new Map([
      [source, escapeXml(printFormula(below(tree, row - at.row), NO_CELL))],
      [location, formatCell(row, at.col)],
    ]);
    text +=
      textBetween(start, first.start) +
      own.get(first)! +
      textBetween(first.end, second.start) +
      own.get(second)! +
      textBetween(second.end, end);
  }
  if (text !== '') edits.push({ start: end, end, text });
}

/** Updates the source, unless it is within one row: such sources stay in their row. */
function followSource(source: TextSpan, follower: SheetFollower, edits: ByteEdit[]): void {
  const text = parseRow(source.text) ? null : follower.formula(source.text);
  if (text !== null) edits.push({ start: source.start, end: source.end, text: escapeXml(text) });
}

const NO_CELL = { row: 0, col: 0 };

type Reference = Extract<Node, { type: 'reference' }>;

/** Returns the reference if it covers several cells of one row; otherwise null. */
function parseRow(text: string): Reference | null {
  try {
    const tree = parseFormula(text, NO_CELL);
    const isRow = tree.type === 'reference' && tree.shape === 'range' && tree.row1 === tree.row2;
    return isRow ? tree : null;
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}

/** Moves a reference down by `rows`, whether its rows are absolute or relative. */
function below(tree: Reference, rows: number): Reference {
  return { ...tree, row1: tree.row1 + rows, row2: tree.row2 + rows };
}
