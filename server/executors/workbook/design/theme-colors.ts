/** Resolves the colors of a workbook: given as RGB, by index, or by theme and tint. */
import { optionalPart, readRelationships } from '#server/calculation/reader/relationships.ts';
import type { WorkbookParts } from '#server/calculation/reader/relationships.ts';
import { READER_LIMITS } from '#server/calculation/reader/reader-limits.ts';
import { workbookPath } from '#server/calculation/reader/read-workbook.ts';
import type { StyleColor } from '#server/calculation/reader/styles-part.ts';
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';

/** The order that `theme` attributes refer to: background and text come first, each light color before its dark one. */
const THEME_ORDER = [
  'lt1',
  'dk1',
  'lt2',
  'dk2',
  'accent1',
  'accent2',
  'accent3',
  'accent4',
  'accent5',
  'accent6',
  'hlink',
  'folHlink',
];
/** The Office theme, for files without one. */
const OFFICE_THEME = [
  'ffffff',
  '000000',
  'e7e6e6',
  '44546a',
  '4472c4',
  'ed7d31',
  'a5a5a5',
  'ffc000',
  '5b9bd5',
  '70ad47',
  '0563c1',
  '954f72',
];

/** Indexed colors (ECMA-376 part 1, 18.8.27); the first eight are repeated. */
const EIGHT = ['000000', 'ffffff', 'ff0000', '00ff00', '0000ff', 'ffff00', 'ff00ff', '00ffff'];
const INDEXED = [
  ...EIGHT,
  ...EIGHT,
  ...'800000 008000 000080 808000 800080 008080 c0c0c0 808080 9999ff 993366 ffffcc ccffff 660066 ff8080 0066cc ccccff'.split(
    ' ',
  ),
  ...'000080 ff00ff ffff00 00ffff 800080 800000 008080 0000ff 00ccff ccffff ccffcc ffff99 99ccff ff99cc cc99ff ffcc99'.split(
    ' ',
  ),
  ...'3366ff 33cccc 99cc00 ffcc00 ff9900 ff6600 666699 969696 003366 339966 003300 333300 993300 993366 333399 333333'.split(
    ' ',
  ),
];

export interface ColorTable {
  theme: readonly string[];
  indexed: readonly string[];
}

/** `palette` holds the indexed colors that the workbook changes, see StylesPart. */
export function createColorTable(parts: WorkbookParts, palette: readonly string[]): ColorTable {
  const own = palette.map((rgb) => rgb.slice(-6).toLowerCase());
  const indexed = INDEXED.map((standard, index) => (isHex(own[index] ?? '') ? own[index]! : standard));
  return { theme: readTheme(parts), indexed };
}

/** Returns the colors of the theme by index, six hexadecimal digits each. */
function readTheme(parts: WorkbookParts): string[] {
  const path = workbookPath(parts);
  const found = optionalPart(parts, readRelationships(parts, path, READER_LIMITS), 'theme');
  if (!found.bytes) return OFFICE_THEME;
  const named = new Map<string, string>();
  const xml = new XmlScanner(found.bytes, found.path);
  let current = '';
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token === XmlToken.Close && xml.name === 'clrScheme') break;
    if (token !== XmlToken.Open) continue;
    if (THEME_ORDER.includes(xml.name)) current = xml.name;
    const color =
      xml.name === 'srgbClr' ? xml.attribute('val') : xml.name === 'sysClr' ? xml.attribute('lastClr') : null;
    if (color && current !== '' && isHex(color)) named.set(current, color.toLowerCase());
  }
  return THEME_ORDER.map((name, index) => named.get(name) ?? OFFICE_THEME[index]!);
}

const isHex = (text: string): boolean => /^[0-9a-f]{6}$/i.test(text);

const numberOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : null;

/** Returns '#rrggbb'; null if the color is automatic or cannot be read. */
export function colorOf({ rgb, tint, ...color }: StyleColor, { theme, indexed }: ColorTable): string | null {
  const themed = numberOf(color.theme);
  const numbered = numberOf(color.indexed);
  const base =
    rgb !== undefined && isHex(rgb.slice(-6))
      ? rgb.slice(-6)
      : themed === null
        ? numbered === null
          ? undefined
          : indexed[numbered]
        : theme[themed];
  if (base === undefined) return null;
  const lighter = Number(tint ?? 0);
  return `#${tinted(base.toLowerCase(), Number.isFinite(lighter) ? lighter : 0)}`;
}

/** Changes the HLS lightness by `tint`, from -1 (darker) to 1 (lighter) (ECMA-376 part 1, 18.8.19). */
function tinted(hex: string, tint: number): string {
  if (tint === 0) return hex;
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as [
    number,
    number,
    number,
  ];
  const [high, low] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const lightness = (high + low) / 2;
  const changed =
    tint < 0 ? lightness * (1 + Math.max(tint, -1)) : lightness * (1 - Math.min(tint, 1)) + Math.min(tint, 1);
  const chroma = high - low;
  const saturation = chroma === 0 ? 0 : chroma / (1 - Math.abs(2 * lightness - 1));
  const newChroma = saturation * (1 - Math.abs(2 * changed - 1));
  const base = changed - newChroma / 2;
  const channel = (value: number): string => {
    const share = chroma === 0 ? 0 : (value - low) / chroma;
    return Math.round(Math.min(1, Math.max(0, base + share * newChroma)) * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return channel(red) + channel(green) + channel(blue);
}
