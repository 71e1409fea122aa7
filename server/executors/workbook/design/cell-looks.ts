/** Reads the appearance of cells by style: fonts, fills, borders, alignment. For display only. */
import type { WorkbookParts } from '#server/calculation/reader/relationships.ts';
import { readStylesPart } from '#server/calculation/reader/styles-part.ts';
import type { CellFormat, StyleFill, StyleFont, StyleLine } from '#server/calculation/reader/styles-part.ts';
import type { CellLook } from '#shared/contract/designs.ts';
import { colorOf, createColorTable } from './theme-colors.ts';
import type { ColorTable } from './theme-colors.ts';

type Font = Pick<CellLook, 'Bold' | 'Italic' | 'Underline' | 'Strike' | 'Size' | 'Color'>;
type Borders = CellLook['Borders'];

const PLAIN_FONT: Font = { Bold: false, Italic: false, Underline: false, Strike: false, Size: 11, Color: null };
const NO_BORDERS: Borders = [null, null, null, null];
const PLAIN_LOOK: CellLook = {
  Format: 'General',
  ...PLAIN_FONT,
  Fill: null,
  Align: 'general',
  VerticalAlign: 'bottom',
  Wrap: false,
  Indent: 0,
  Borders: NO_BORDERS,
};
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
  const styles = readStylesPart(parts);
  if (!styles) return numberFormats.map((Format) => ({ ...PLAIN_LOOK, Format }));
  const colors = createColorTable(parts, styles.palette);
  const fonts = styles.fonts.map((font) => fontOf(font, colors));
  const fills = styles.fills.map((fill) => fillOf(fill, colors));
  const borders = styles.borders.map((lines) => bordersOf(lines, colors));
  return numberFormats.map((Format, index) => {
    const format = styles.formats[index];
    return {
      ...PLAIN_LOOK,
      ...fonts[format?.font ?? 0],
      Fill: fills[format?.fill ?? 0] ?? null,
      ...(format ? alignmentOf(format) : {}),
      Borders: borders[format?.border ?? 0] ?? NO_BORDERS,
      Format,
    };
  });
}

function fontOf({ color, isBold, isItalic, isUnderlined, isStruckOut, size }: StyleFont, colors: ColorTable): Font {
  // Theme color 1 is the text color: it follows the theme of the page, like the automatic color.
  const isTextColor = color === null || (color.theme === '1' && !color.tint);
  return {
    Bold: isBold,
    Italic: isItalic,
    Underline: isUnderlined,
    Strike: isStruckOut,
    Size: Math.min(409, Math.max(1, size || PLAIN_FONT.Size)),
    Color: isTextColor ? null : colorOf(color, colors),
  };
}

function fillOf({ pattern, foreground, background, gradient }: StyleFill, colors: ColorTable): string | null {
  const shown = DENSE_PATTERNS.has(pattern ?? 'none') ? foreground : background;
  const fill = shown !== null && (pattern ?? 'none') !== 'none' ? colorOf(shown, colors) : null;
  // A gradient is represented by its first color.
  return gradient.reduce((first, color) => first ?? colorOf(color, colors), fill);
}

function bordersOf(lines: readonly StyleLine[], colors: ColorTable): Borders {
  const borders: Borders = [...NO_BORDERS];
  for (const { side, line, color } of lines) {
    const place = SIDES.get(side);
    if (place === undefined || line === '' || line === 'none') continue;
    borders[place] = { Line: line, Color: (color && colorOf(color, colors)) ?? '#000000' };
  }
  return borders;
}

const alignmentOf = ({ horizontal, vertical, wrapsText, indent }: CellFormat) => ({
  Align: horizontal,
  VerticalAlign: vertical,
  Wrap: wrapsText,
  Indent: Math.min(MAX_INDENT, Math.max(0, Math.trunc(indent) || 0)),
});
