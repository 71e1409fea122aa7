/**
 * Reads how a sheet is laid out on screen: sizes, hidden and frozen parts. For display only; nothing is calculated from
 * it.
 */
import { requirePart } from '#server/calculation/reader/relationships.ts';
import type { WorkbookParts } from '#server/calculation/reader/relationships.ts';
import type { SheetModel } from '#server/calculation/reader/workbook-model.ts';
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import { MAX_COLS, MAX_ROWS } from '#shared/codecs/cell-address.ts';

/** First and last column or row, and their size in pixels at 100 % zoom; 0 if hidden. */
export type SizeSpan = [first: number, last: number, pixels: number];

export interface SheetLayout {
  defaultWidth: number;
  defaultHeight: number;
  /** Ascending, without overlaps. */
  widths: SizeSpan[];
  heights: SizeSpan[];
  frozenRows: number;
  frozenColumns: number;
  showsGridLines: boolean;
  isRightToLeft: boolean;
}

/** Excel's defaults: 8.43 characters of Calibri 11, and 15 points. */
const DEFAULT_WIDTH = 64;
const DEFAULT_HEIGHT = 20;
/** More than Excel's maximum for a column (255 characters) or a row (409 points). */
const MAX_PIXELS = 2000;
/** Maximum number of frozen rows or columns: a sheet whose frozen part fills the window could not be scrolled. */
const MAX_FROZEN = 200;

export function readSheetLayout(parts: WorkbookParts, { part, name }: SheetModel): SheetLayout {
  const layout: SheetLayout = {
    defaultWidth: DEFAULT_WIDTH,
    defaultHeight: DEFAULT_HEIGHT,
    widths: [],
    heights: [],
    frozenRows: 0,
    frozenColumns: 0,
    showsGridLines: true,
    isRightToLeft: false,
  };
  if (part === '') return layout;
  const xml = new XmlScanner(requirePart(parts, part, `sheet '${name}'`), part);
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token === XmlToken.Open && readElement(xml, layout)) break;
  }
  layout.widths.sort(([a], [b]) => a - b);
  return layout;
}

/** Returns true if no later element belongs to the layout. */
function readElement(xml: XmlScanner, layout: SheetLayout): boolean {
  if (xml.name === 'sheetView') readView(xml, layout);
  else if (xml.name === 'pane' && /^frozen/i.test(xml.attribute('state') ?? '')) {
    layout.frozenRows = frozen(xml, 'ySplit');
    layout.frozenColumns = frozen(xml, 'xSplit');
  } else if (xml.name === 'sheetFormatPr') readDefaults(xml, layout);
  else if (xml.name === 'col') readColumn(xml, layout);
  else if (xml.name === 'row') readRow(xml, layout);
  else if (xml.name === 'sheetData') return false;
  return xml.name === 'mergeCells' || xml.name === 'pageMargins';
}

function readView(xml: XmlScanner, layout: SheetLayout): void {
  layout.showsGridLines = xml.flag('showGridLines', true);
  layout.isRightToLeft = xml.flag('rightToLeft');
}

const frozen = (xml: XmlScanner, side: string): number =>
  Math.min(MAX_FROZEN, Math.max(0, Math.trunc(numberOf(xml, side) ?? 0)));

function readDefaults(xml: XmlScanner, layout: SheetLayout): void {
  const width = numberOf(xml, 'defaultColWidth');
  if (width !== null) layout.defaultWidth = columnPixels(width);
  const height = numberOf(xml, 'defaultRowHeight');
  if (xml.flag('zeroHeight')) layout.defaultHeight = 0;
  else if (height !== null) layout.defaultHeight = rowPixels(height);
}

function readColumn(xml: XmlScanner, layout: SheetLayout): void {
  const first = Number(xml.attribute('min')) - 1;
  const last = Math.min(Number(xml.attribute('max')), MAX_COLS) - 1;
  if (!Number.isInteger(first) || first < 0 || !(last >= first)) return;
  const width = numberOf(xml, 'width');
  const pixels = xml.flag('hidden') ? 0 : width === null ? layout.defaultWidth : columnPixels(width);
  if (pixels !== layout.defaultWidth) layout.widths.push([first, last, pixels]);
}

function readRow(xml: XmlScanner, layout: SheetLayout): void {
  const previous = layout.heights.at(-1);
  const row = Number(xml.attribute('r') ?? Number.NaN) - 1;
  const height = numberOf(xml, 'ht');
  const pixels = xml.flag('hidden') ? 0 : height === null ? layout.defaultHeight || DEFAULT_HEIGHT : rowPixels(height);
  xml.skip();
  if (!Number.isInteger(row) || row < 0 || row >= MAX_ROWS || pixels === layout.defaultHeight) return;
  if (previous && previous[1] >= row) return;
  if (previous && previous[1] === row - 1 && previous[2] === pixels) previous[1] = row;
  else layout.heights.push([row, row, pixels]);
}

function numberOf(xml: XmlScanner, name: string): number | null {
  const value = Number(xml.attribute(name) ?? Number.NaN);
  return Number.isFinite(value) ? value : null;
}

/** Converts a width in characters to pixels, with seven pixels per character (ECMA-376 part 1, 18.3.1.13). */
const columnPixels = (width: number): number =>
  Math.min(MAX_PIXELS, Math.max(0, Math.trunc(((256 * width + Math.trunc(128 / 7)) / 256) * 7)));

const rowPixels = (points: number): number => Math.min(MAX_PIXELS, Math.max(0, Math.round((points * 4) / 3)));
