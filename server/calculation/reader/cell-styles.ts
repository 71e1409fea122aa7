/**
 * Reads the appearance of cells from xl/styles.xml: fills, fonts, borders, locks and named styles. The calculation
 * needs none of it.
 */
import type { ReaderLimits } from './reader-limits.ts';
import { optionalPart, readRelationships } from './relationships.ts';
import type { WorkbookParts } from './relationships.ts';
import { XmlScanner, XmlToken } from './xml-scanner.ts';

/** The appearance of cells with one style index. */
export interface CellStyle {
  /** The color of a solid fill as the file names it ('FFFFFF00', 'theme4+0.6'); null for no fill and for white. */
  fill: string | null;
  /** In the same form; null for black and automatic. */
  fontColor: string | null;
  isBold: boolean;
  /** In points. */
  fontSize: number;
  hasBorder: boolean;
  /** True if a protected sheet refuses changes of the cell. */
  isLocked: boolean;
  /**
   * Number of Excel's built-in named style (20 is 'Input', ECMA-376 part 1, 18.8.7); null for Normal and for custom
   * styles.
   */
  builtinStyle: number | null;
}

export const PLAIN_STYLE: CellStyle = {
  fill: null,
  fontColor: null,
  isBold: false,
  fontSize: 11,
  hasBorder: false,
  isLocked: true,
  builtinStyle: null,
};

/** Excel stores at most 65,490 cell styles. */
const MAX_STYLES = 65_490;
const BLACK = new Set(['FF000000', '00000000', 'theme1', 'indexed8', 'indexed64']);
const WHITE = new Set(['FFFFFFFF', '00FFFFFF', 'theme0', 'indexed9', 'indexed65', 'indexed64']);

interface Font {
  color: string | null;
  isBold: boolean;
  size: number;
}

interface StyleLists {
  fonts: Font[];
  fills: (string | null)[];
  borders: boolean[];
  /** By index in cellStyleXfs. */
  builtins: Map<number, number>;
}

/** Returns the looks by style index, as used in SheetCells.styles. `workbookPath` is the part that lists the sheets. */
export function readCellStyles(parts: WorkbookParts, workbookPath: string, limits: ReaderLimits): CellStyle[] {
  const styles = optionalPart(parts, readRelationships(parts, workbookPath, limits), 'styles');
  if (!styles.bytes) return [PLAIN_STYLE];
  const lists: StyleLists = { fonts: [], fills: [], borders: [], builtins: new Map() };
  const formats: { font: number; fill: number; border: number; named: number; isLocked: boolean }[] = [];
  const xml = new XmlScanner(styles.bytes, styles.path, limits);
  let section = '';
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token !== XmlToken.Open) continue;
    if (xml.depth === 2) section = xml.name;
    if (section === 'dxfs' || section === 'extLst') continue;
    if (section === 'cellXfs' && xml.name === 'xf' && formats.length < MAX_STYLES) {
      const number = (name: string): number => Number(xml.attribute(name) ?? 0);
      const ids = { font: number('fontId'), fill: number('fillId'), border: number('borderId'), named: number('xfId') };
      formats.push({ ...ids, isLocked: true });
    } else if (section === 'cellXfs' && xml.name === 'protection') {
      const last = formats.at(-1);
      if (last) last.isLocked = xml.flag('locked', true);
    } else takeElement(xml, section, lists);
  }
  return formats.map(({ font, fill, border, named, isLocked }) => {
    const { color, isBold, size } = lists.fonts[font] ?? { color: null, isBold: false, size: 11 };
    return {
      fill: lists.fills[fill] ?? null,
      fontColor: color,
      isBold,
      fontSize: size,
      hasBorder: lists.borders[border] ?? false,
      isLocked,
      builtinStyle: lists.builtins.get(named) || null,
    };
  });
}

function takeElement(xml: XmlScanner, section: string, { fonts, fills, borders, builtins }: StyleLists): void {
  const font = fonts.at(-1);
  if (section === 'fonts') {
    if (xml.name === 'font') fonts.push({ color: null, isBold: false, size: 11 });
    else if (font && xml.name === 'b') font.isBold = xml.flag('val', true);
    else if (font && xml.name === 'sz') font.size = Number(xml.attribute('val') ?? 11);
    else if (font && xml.name === 'color') font.color = colorOf(xml, BLACK);
  } else if (section === 'fills') {
    if (xml.name === 'fill') fills.push(null);
    else if (xml.name === 'fgColor' && fills.length > 0) fills[fills.length - 1] = colorOf(xml, WHITE);
    else if (xml.name === 'patternFill' && xml.attribute('patternType') === 'none') xml.skip();
  } else if (section === 'borders') {
    if (xml.name === 'border') borders.push(false);
    else if (xml.attribute('style') !== undefined && borders.length > 0) borders[borders.length - 1] = true;
  } else if (section === 'cellStyles' && xml.name === 'cellStyle') {
    builtins.set(Number(xml.attribute('xfId') ?? 0), Number(xml.attribute('builtinId') ?? 0));
  }
}

function colorOf(xml: XmlScanner, plain: ReadonlySet<string>): string | null {
  const rgb = xml.attribute('rgb');
  const theme = xml.attribute('theme');
  const indexed = xml.attribute('indexed');
  const base = rgb ?? (theme !== undefined ? `theme${theme}` : indexed !== undefined ? `indexed${indexed}` : null);
  if (base === null || xml.flag('auto')) return null;
  const tint = Number(xml.attribute('tint') ?? 0);
  if (tint === 0) return plain.has(base.toUpperCase()) || plain.has(base) ? null : base;
  return `${base}${tint > 0 ? '+' : ''}${tint.toFixed(2)}`;
}
