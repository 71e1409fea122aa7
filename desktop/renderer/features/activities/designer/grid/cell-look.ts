/**
 * Converts the workbook's cell styles to CSS. The background is white in every theme, so the workbook's own colors
 * stay readable.
 */
import type { CSSProperties } from 'react';
import { isDate } from '#shared/codecs/format-value.ts';
import { from1904 } from '#shared/codecs/date-systems.ts';
import type { CellLook } from '#shared/contract/designs.ts';
import { shownValue } from '#renderer/language/shown-value.ts';
import type { CellValue } from './sheet-cells.ts';

const FAMILY = 'Calibri, Carlito, "Segoe UI", Arial, "Liberation Sans", sans-serif';

/** Padding in pixels beside a cell's text. */
export const PADDING = 3;
const INDENT = 9;

const canvas = document.createElement('canvas').getContext('2d');

/**
 * Column widths are based on the digits of Calibri, which are 0.507 of the font size wide. If a substitute font has
 * wider digits, text is scaled down in proportion, so what fits in Excel fits here.
 */
const FONT_SCALE = ((): number => {
  if (!canvas) return 1;
  canvas.font = `100px ${FAMILY}`;
  return Math.min(1, 50.7 / canvas.measureText('0').width);
})();

const PIXELS_PER_POINT = 96 / 72;

export interface ShownLook {
  look: CellLook;
  style: CSSProperties;
  /** The font in canvas syntax. */
  font: string;
  /** The borders, drawn over the grid lines of the surrounding cells. Null if the cell has no borders. */
  borders: CSSProperties | null;
}

const LINES: Readonly<Record<string, string>> = {
  hair: '1px dotted',
  thin: '1px solid',
  dotted: '1px dotted',
  dashed: '1px dashed',
  dashDot: '1px dashed',
  dashDotDot: '1px dashed',
  slantDashDot: '2px dashed',
  medium: '2px solid',
  mediumDashed: '2px dashed',
  mediumDashDot: '2px dashed',
  mediumDashDotDot: '2px dashed',
  thick: '3px solid',
  double: '3px double',
};

export function shownLook(look: CellLook): ShownLook {
  const pixels = look.Size * PIXELS_PER_POINT * FONT_SCALE;
  const lines = [look.Underline && 'underline', look.Strike && 'line-through'].filter(Boolean).join(' ');
  const style: CSSProperties = {
    fontSize: pixels,
    ...(look.Bold ? { fontWeight: 700 } : {}),
    ...(look.Italic ? { fontStyle: 'italic' } : {}),
    ...(lines ? { textDecoration: lines } : {}),
    ...(look.Color ? { color: look.Color } : {}),
    ...(look.Fill ? { background: look.Fill } : {}),
    alignItems: VERTICAL[look.VerticalAlign] ?? 'flex-end',
  };
  const sides = ['Top', 'Right', 'Bottom', 'Left'] as const;
  const borders: Record<string, string> = {};
  for (const [at, side] of sides.entries()) {
    const border = look.Borders[at];
    if (border) borders[`border${side}`] = `${LINES[border.Line] ?? '1px solid'} ${border.Color}`;
  }
  return {
    look,
    style,
    font: `${look.Italic ? 'italic ' : ''}${look.Bold ? '700 ' : ''}${pixels}px ${FAMILY}`,
    borders: Object.keys(borders).length > 0 ? (borders as CSSProperties) : null,
  };
}

const VERTICAL: Readonly<Record<string, string>> = {
  top: 'flex-start',
  center: 'center',
  distributed: 'center',
  justify: 'flex-start',
};

export const indentOf = ({ Indent }: CellLook): number => PADDING + Indent * INDENT;

export const shownText = (value: CellValue, format: string, date1904: boolean): string =>
  shownValue(date1904 && typeof value === 'number' && isDate(format) ? from1904(value, format) : value, format);

const widths = new Map<string, number>();
const MAX_CACHED_WIDTHS = 20_000;

/** Returns the width of a text in pixels, for a font in canvas syntax. */
export function textWidth(font: string, text: string): number {
  const key = `${font}\n${text}`;
  const known = widths.get(key);
  if (known !== undefined || !canvas) return known ?? 0;
  canvas.font = font;
  const { width } = canvas.measureText(text);
  if (widths.size > MAX_CACHED_WIDTHS) widths.clear();
  widths.set(key, width);
  return width;
}
