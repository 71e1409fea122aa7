/** The styles of a new workbook (ECMA-376 part 1, 18.8). */
import { encodeExcelEscapes, escapeAttribute } from '#shared/codecs/xml-escapes.ts';
import { HEAD, MAIN } from './namespaces.ts';

export interface CellStyle {
  /** Excel's number format; General if omitted or ''. */
  format?: string;
  isBold?: boolean;
  /** Background as RRGGBB. */
  fill?: string;
}

/**
 * Formats that have a meaning beyond their code. Excel shows 14 as the short date of each person's region, and treats
 * what is typed into cells with 49 as text.
 */
const BUILT_IN = new Map([
  ['', 0],
  ['General', 0],
  ['mm-dd-yy', 14],
  ['@', 49],
]);
/** First id of custom number formats; Excel reserves the lower ids. */
const FIRST_FORMAT = 164;
const FONT = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
const FONTS = `<fonts count="2"><font>${FONT}</font><font><b/>${FONT}</font></fonts>`;
/** Excel reserves the first two fills. */
const FIRST_FILLS = ['none', 'gray125'].map((pattern) => `<fill><patternFill patternType="${pattern}"/></fill>`);
const PLAIN = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>';

export interface Styles {
  /** Returns the index of a style for cells; 0 for the default style. */
  indexOf(style: CellStyle): number;
  /** Returns the styles part with all styles so far. */
  xml(): string;
}

export function createStyles(): Styles {
  const formats = new Map<string, number>();
  const fills = new Map(FIRST_FILLS.map((fill, index) => [fill, index]));
  const cellFormats = new Map<string, number>();
  const indexOf = ({ format = '', isBold = false, fill }: CellStyle): number => {
    const number = BUILT_IN.get(format) ?? FIRST_FORMAT + indexIn(formats, format);
    const background = fill === undefined ? 0 : indexIn(fills, fillXml(fill));
    return indexIn(
      cellFormats,
      `<xf numFmtId="${number}" fontId="${Number(isBold)}" fillId="${background}" borderId="0" xfId="0"` +
        ' applyNumberFormat="1" applyFont="1" applyFill="1"/>',
    );
  };
  indexOf({});
  return {
    indexOf,
    xml: () =>
      `${HEAD}<styleSheet xmlns="${MAIN}">${numberFormatsXml([...formats.keys()])}${FONTS}` +
      `<fills count="${fills.size}">${[...fills.keys()].join('')}</fills>` +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
      `<cellStyleXfs count="1">${PLAIN}</cellStyleXfs>` +
      `<cellXfs count="${cellFormats.size}">${[...cellFormats.keys()].join('')}</cellXfs>` +
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  };
}

/** Returns the index of an item, and adds it if it is new. */
function indexIn(items: Map<string, number>, item: string): number {
  const found = items.get(item);
  if (found !== undefined) return found;
  items.set(item, items.size);
  return items.size - 1;
}

const fillXml = (color: string): string =>
  `<fill><patternFill patternType="solid"><fgColor rgb="FF${color}"/><bgColor indexed="64"/></patternFill></fill>`;

function numberFormatsXml(formats: readonly string[]): string {
  if (formats.length === 0) return '';
  const items = formats.map(
    (format, index) =>
      `<numFmt numFmtId="${FIRST_FORMAT + index}" formatCode="${escapeAttribute(encodeExcelEscapes(format))}"/>`,
  );
  return `<numFmts count="${items.length}">${items.join('')}</numFmts>`;
}
