/** Reads the appearance of cells by style: fonts, fills, borders, alignment. For display only. */
import { optionalPart, readRelationships } from '#server/calculation/reader/relationships.ts';
import type { WorkbookParts } from '#server/calculation/reader/relationships.ts';
import { READER_LIMITS } from '#server/calculation/reader/reader-limits.ts';
import { workbookPath } from '#server/calculation/reader/read-workbook.ts';
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import type { CellLook } from '#shared/contract/designs.ts';
import { colorOf, readTheme, standardIndexed } from './theme-colors.ts';
import type { ColorTable } from './theme-colors.ts';

type Font = Pick<CellLook, 'Bold' | 'Italic' | 'Underline' | 'Strike' | 'Size' | 'Color'>;
type Borders = CellLook['Borders'];

interface StyleParts {
  fonts: Font[];
  fills: (string | null)[];
  borders: Borders[];
  looks: CellLook[];
}

const PLAIN_FONT: Font = { Bold: false, Italic: false, Underline: false, Strike: false, Size: 11, Color: null };
const NO_BORDERS: Borders = [null, null, null, null];
/** The order of `Borders`. Right-to-left sheets name the sides start and end. */
const SIDES: ReadonlyMap<string, number> = new Map([
  ['top', 0],
  ['right', 1],
  ['end', 1],
  ['bottom', 2],
  ['left', 3],
  ['start', 3],
]);
/**
 * Fill patterns that show only or mostly their foreground color. All other patterns mostly show the color behind their
 * dots.
 */
const DENSE_PATTERNS = new Set(['solid', 'darkGray', 'mediumGray']);
const MAX_INDENT = 15;

/** Returns the look of each style by its index, in the same order as the model's `numberFormats`. */
export function readCellLooks(parts: WorkbookParts, numberFormats: readonly string[]): CellLook[] {
  const path = workbookPath(parts);
  const { path: stylesPath, bytes } = optionalPart(parts, readRelationships(parts, path, READER_LIMITS), 'styles');
  const found: StyleParts = { fonts: [], fills: [], borders: [], looks: [] };
  if (bytes) readStyleParts(new XmlScanner(bytes, stylesPath), found, readColors(parts, bytes, stylesPath));
  return numberFormats.map((Format, index) => ({ ...(found.looks[index] ?? lookOf(found, 0, 0, 0)), Format }));
}

function readColors(parts: WorkbookParts, bytes: Uint8Array, path: string): ColorTable {
  const indexed = standardIndexed();
  const xml = new XmlScanner(bytes, path);
  let own = 0;
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token !== XmlToken.Open || xml.name !== 'rgbColor') continue;
    const rgb = xml.attribute('rgb')?.slice(-6) ?? '';
    if (/^[0-9a-f]{6}$/i.test(rgb) && own < indexed.length) indexed[own] = rgb.toLowerCase();
    own += 1;
  }
  return { theme: readTheme(parts), indexed };
}

function readStyleParts(xml: XmlScanner, found: StyleParts, colors: ColorTable): void {
  let list = '';
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token !== XmlToken.Open) continue;
    if (xml.name === 'dxfs' || xml.name === 'extLst' || xml.name === 'cellStyleXfs') xml.skip();
    else if (['fonts', 'fills', 'borders', 'cellXfs'].includes(xml.name)) list = xml.name;
    else if (list === 'fonts' && xml.name === 'font') found.fonts.push(readFont(xml, colors));
    else if (list === 'fills' && xml.name === 'fill') found.fills.push(readFill(xml, colors));
    else if (list === 'borders' && xml.name === 'border') found.borders.push(readBorder(xml, colors));
    else if (list === 'cellXfs' && xml.name === 'xf') found.looks.push(readLook(xml, found));
  }
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

function readFont(xml: XmlScanner, colors: ColorTable): Font {
  const font = { ...PLAIN_FONT };
  eachInside(xml, () => {
    if (xml.name === 'b') font.Bold = xml.flag('val', true);
    else if (xml.name === 'i') font.Italic = xml.flag('val', true);
    else if (xml.name === 'strike') font.Strike = xml.flag('val', true);
    else if (xml.name === 'u') font.Underline = xml.attribute('val') !== 'none';
    else if (xml.name === 'sz') font.Size = Math.min(409, Math.max(1, Number(xml.attribute('val')) || PLAIN_FONT.Size));
    // Theme color 1 is the text color: it follows the theme of the page, like the automatic color.
    else if (xml.name === 'color' && !(xml.attribute('theme') === '1' && !xml.attribute('tint')))
      font.Color = colorOf(xml, colors);
  });
  return font;
}

function readFill(xml: XmlScanner, colors: ColorTable): string | null {
  let pattern = 'none';
  let fill: string | null = null;
  eachInside(xml, () => {
    if (xml.name === 'patternFill') pattern = xml.attribute('patternType') ?? 'none';
    else if (xml.name === 'fgColor' && DENSE_PATTERNS.has(pattern)) fill = colorOf(xml, colors);
    else if (xml.name === 'bgColor' && pattern !== 'none' && !DENSE_PATTERNS.has(pattern)) fill = colorOf(xml, colors);
    // A gradient is represented by its first color.
    else if (xml.name === 'color' && fill === null) fill = colorOf(xml, colors);
  });
  return fill;
}

function readBorder(xml: XmlScanner, colors: ColorTable): Borders {
  const borders: Borders = [...NO_BORDERS];
  let side: number | undefined;
  eachInside(xml, () => {
    if (SIDES.has(xml.name)) {
      side = SIDES.get(xml.name);
      const line = xml.attribute('style');
      if (side !== undefined && line && line !== 'none') borders[side] = { Line: line, Color: '#000000' };
    } else if (xml.name === 'color' && side !== undefined && borders[side]) {
      borders[side]!.Color = colorOf(xml, colors) ?? '#000000';
    }
  });
  return borders;
}

function readLook(xml: XmlScanner, found: StyleParts): CellLook {
  const id = (name: string): number => Number(xml.attribute(name) ?? 0);
  const look = lookOf(found, id('fontId'), id('fillId'), id('borderId'));
  eachInside(xml, () => {
    if (xml.name !== 'alignment') return;
    look.Align = xml.attribute('horizontal') ?? 'general';
    look.VerticalAlign = xml.attribute('vertical') ?? 'bottom';
    look.Wrap = xml.flag('wrapText');
    look.Indent = Math.min(MAX_INDENT, Math.max(0, Math.trunc(Number(xml.attribute('indent') ?? 0)) || 0));
  });
  return look;
}

function lookOf({ fonts, fills, borders }: StyleParts, font: number, fill: number, border: number): CellLook {
  return {
    Format: 'General',
    ...(fonts[font] ?? PLAIN_FONT),
    Fill: fills[fill] ?? null,
    Align: 'general',
    VerticalAlign: 'bottom',
    Wrap: false,
    Indent: 0,
    Borders: borders[border] ?? NO_BORDERS,
  };
}
