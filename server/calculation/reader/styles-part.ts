/**
 * Reads the appearance of cells from xl/styles.xml: fonts, fills, borders, alignment, locks and named styles. Calculation
 * needs none of it and reads only the number formats of the part (`readStyles`). Colors stay as the file writes them,
 * because the designer resolves them with the theme, and proposals only compare them.
 */
import { READER_LIMITS } from './reader-limits.ts';
import type { ReaderLimits } from './reader-limits.ts';
import { optionalPart, readRelationships } from './relationships.ts';
import type { WorkbookParts } from './relationships.ts';
import { workbookPath } from './read-workbook.ts';
import { XmlScanner, XmlToken } from './xml-scanner.ts';

/** The attributes of a color element. Files should give one of `rgb`, `theme` and `indexed`. */
export interface StyleColor {
  rgb: string | undefined;
  theme: string | undefined;
  indexed: string | undefined;
  tint: string | undefined;
  isAutomatic: boolean;
}

export interface StyleFont {
  color: StyleColor | null;
  isBold: boolean;
  isItalic: boolean;
  isUnderlined: boolean;
  isStruckOut: boolean;
  /** In points, as the file says it: NaN if that is no number. */
  size: number;
}

export interface StyleFill {
  /** 'solid', 'none', …; null if the file names no pattern. */
  pattern: string | null;
  foreground: StyleColor | null;
  background: StyleColor | null;
  /** The colors of a gradient in order. */
  gradient: readonly StyleColor[];
}

/** One line of a border. */
export interface StyleLine {
  /** Name of its element: 'top', 'start', 'diagonal', … */
  side: string;
  /** 'thin', 'none', … */
  line: string;
  color: StyleColor | null;
}

/** What a cell's style index refers to: an xf element of cellXfs. */
export interface CellFormat {
  /** Indexes in the lists of `StylesPart`. */
  font: number;
  fill: number;
  border: number;
  /** Key in `builtinStyles`. */
  namedStyle: number;
  /** True if a protected sheet refuses changes of the cell. */
  isLocked: boolean;
  horizontal: string;
  vertical: string;
  wrapsText: boolean;
  /** As the file says it: NaN if that is no number. */
  indent: number;
}

export interface StylesPart {
  fonts: readonly StyleFont[];
  fills: readonly StyleFill[];
  borders: readonly (readonly StyleLine[])[];
  /** By style index, as used in SheetCells.styles. */
  formats: readonly CellFormat[];
  /** Numbers of Excel's built-in named styles (20 is 'Input', ECMA-376 part 1, 18.8.7), by index in cellStyleXfs. */
  builtinStyles: ReadonlyMap<number, number>;
  /** RGB of the first indexed colors, if the workbook changes them; '' where the file says none. */
  palette: readonly string[];
}

/** A StylesPart that is being read. */
interface Lists extends StylesPart {
  fonts: StyleFont[];
  fills: StyleFill[];
  borders: StyleLine[][];
  formats: CellFormat[];
  builtinStyles: Map<number, number>;
  palette: string[];
}

/** Excel stores at most 65,490 cell formats, so no more fonts, fills and borders are in use either. */
const MAX_FORMATS = 65_490;
/** Number of indexed colors that a workbook can change (ECMA-376 part 1, 18.8.27). */
const MAX_PALETTE = 64;

const SECTIONS = new Set(['fonts', 'fills', 'borders', 'cellXfs', 'cellStyles', 'colors']);
/** Sections with formats that no cell refers to. */
const SKIPPED = new Set(['dxfs', 'extLst', 'cellStyleXfs']);

/** Returns null if the workbook has no styles. */
export function readStylesPart(parts: WorkbookParts, limits: ReaderLimits = READER_LIMITS): StylesPart | null {
  const relationships = readRelationships(parts, workbookPath(parts, limits), limits);
  const { path, bytes } = optionalPart(parts, relationships, 'styles');
  if (!bytes) return null;
  const found: Lists = { fonts: [], fills: [], borders: [], formats: [], builtinStyles: new Map(), palette: [] };
  const xml = new XmlScanner(bytes, path, limits);
  let section = '';
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token !== XmlToken.Open) continue;
    if (SKIPPED.has(xml.name)) xml.skip();
    else if (SECTIONS.has(xml.name)) section = xml.name;
    else takeElement(xml, section, found);
  }
  return found;
}

function takeElement(xml: XmlScanner, section: string, found: Lists): void {
  const { fonts, fills, borders, formats, builtinStyles, palette } = found;
  const isIn = (name: string, element: string): boolean => section === name && xml.name === element;
  if (isIn('fonts', 'font') && fonts.length < MAX_FORMATS) fonts.push(readFont(xml));
  else if (isIn('fills', 'fill') && fills.length < MAX_FORMATS) fills.push(readFill(xml));
  else if (isIn('borders', 'border') && borders.length < MAX_FORMATS) borders.push(readBorder(xml));
  else if (isIn('cellXfs', 'xf') && formats.length < MAX_FORMATS) formats.push(readFormat(xml));
  else if (isIn('cellStyles', 'cellStyle')) builtinStyles.set(numberIn(xml, 'xfId'), numberIn(xml, 'builtinId'));
  else if (isIn('colors', 'rgbColor') && palette.length < MAX_PALETTE) palette.push(xml.attribute('rgb') ?? '');
}

/** Calls `take` for each element inside the one just opened, and moves past it. */
function eachInside(xml: XmlScanner, take: () => void): void {
  const { depth } = xml;
  for (;;) {
    const token = xml.next();
    if (token === XmlToken.End || (token === XmlToken.Close && xml.depth === depth)) return;
    if (token === XmlToken.Open) take();
  }
}

const numberIn = (xml: XmlScanner, name: string, otherwise = 0): number => Number(xml.attribute(name) ?? otherwise);

const colorIn = (xml: XmlScanner): StyleColor => ({
  rgb: xml.attribute('rgb'),
  theme: xml.attribute('theme'),
  indexed: xml.attribute('indexed'),
  tint: xml.attribute('tint'),
  isAutomatic: xml.flag('auto'),
});

function readFont(xml: XmlScanner): StyleFont {
  const font: StyleFont = {
    color: null,
    isBold: false,
    isItalic: false,
    isUnderlined: false,
    isStruckOut: false,
    size: 11,
  };
  eachInside(xml, () => {
    if (xml.name === 'b') font.isBold = xml.flag('val', true);
    else if (xml.name === 'i') font.isItalic = xml.flag('val', true);
    else if (xml.name === 'strike') font.isStruckOut = xml.flag('val', true);
    else if (xml.name === 'u') font.isUnderlined = xml.attribute('val') !== 'none';
    else if (xml.name === 'sz') font.size = numberIn(xml, 'val', 11);
    else if (xml.name === 'color') font.color = colorIn(xml);
  });
  return font;
}

function readFill(xml: XmlScanner): StyleFill {
  const gradient: StyleColor[] = [];
  const fill: StyleFill = { pattern: null, foreground: null, background: null, gradient };
  eachInside(xml, () => {
    if (xml.name === 'patternFill') fill.pattern = xml.attribute('patternType') ?? null;
    else if (xml.name === 'fgColor') fill.foreground = colorIn(xml);
    else if (xml.name === 'bgColor') fill.background = colorIn(xml);
    else if (xml.name === 'color') gradient.push(colorIn(xml));
  });
  return fill;
}

function readBorder(xml: XmlScanner): StyleLine[] {
  const lines: StyleLine[] = [];
  let current: StyleLine | null = null;
  eachInside(xml, () => {
    if (xml.name === 'color') {
      if (current) current.color = colorIn(xml);
      return;
    }
    const line = xml.attribute('style');
    current = line === undefined ? null : { side: xml.name, line, color: null };
    if (current) lines.push(current);
  });
  return lines;
}

function readFormat(xml: XmlScanner): CellFormat {
  const format: CellFormat = {
    font: numberIn(xml, 'fontId'),
    fill: numberIn(xml, 'fillId'),
    border: numberIn(xml, 'borderId'),
    namedStyle: numberIn(xml, 'xfId'),
    isLocked: true,
    horizontal: 'general',
    vertical: 'bottom',
    wrapsText: false,
    indent: 0,
  };
  eachInside(xml, () => {
    if (xml.name === 'protection') format.isLocked = xml.flag('locked', true);
    else if (xml.name === 'alignment') {
      format.horizontal = xml.attribute('horizontal') ?? 'general';
      format.vertical = xml.attribute('vertical') ?? 'bottom';
      format.wrapsText = xml.flag('wrapText');
      format.indent = numberIn(xml, 'indent');
    }
  });
  return format;
}
