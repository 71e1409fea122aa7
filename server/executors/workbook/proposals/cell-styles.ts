/** What proposals compare of the appearance of cells: colors, bold and large text, borders, locks and named styles. */
import type { WorkbookParts } from '#server/calculation/reader/relationships.ts';
import { readStylesPart } from '#server/calculation/reader/styles-part.ts';
import type { StyleColor, StyleFill } from '#server/calculation/reader/styles-part.ts';

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

const BLACK = new Set(['FF000000', '00000000', 'theme1', 'indexed8', 'indexed64']);
const WHITE = new Set(['FFFFFFFF', '00FFFFFF', 'theme0', 'indexed9', 'indexed65', 'indexed64']);

/** Returns the styles by index, as used in SheetCells.styles; none if the workbook has no styles. */
export function readCellStyles(parts: WorkbookParts): CellStyle[] {
  const styles = readStylesPart(parts);
  if (!styles) return [];
  const fonts = styles.fonts.map(({ color, isBold, size }) => ({
    fontColor: color && nameOf(color, BLACK),
    isBold,
    fontSize: size,
  }));
  const fills = styles.fills.map(fillOf);
  return styles.formats.map(({ font, fill, border, namedStyle, isLocked }) => ({
    ...PLAIN_STYLE,
    ...fonts[font],
    fill: fills[fill] ?? null,
    hasBorder: (styles.borders[border] ?? []).length > 0,
    isLocked,
    builtinStyle: styles.builtinStyles.get(namedStyle) || null,
  }));
}

const fillOf = ({ pattern, foreground }: StyleFill): string | null =>
  pattern === 'none' || foreground === null ? null : nameOf(foreground, WHITE);

/** Names a color as the file gives it; null if it is automatic or one of the `plain` colors. */
function nameOf({ rgb, theme, indexed, tint, isAutomatic }: StyleColor, plain: ReadonlySet<string>): string | null {
  const base = rgb ?? (theme !== undefined ? `theme${theme}` : indexed !== undefined ? `indexed${indexed}` : null);
  if (base === null || isAutomatic) return null;
  const lighter = Number(tint ?? 0);
  if (lighter === 0) return plain.has(base.toUpperCase()) || plain.has(base) ? null : base;
  return `${base}${lighter > 0 ? '+' : ''}${lighter.toFixed(2)}`;
}
