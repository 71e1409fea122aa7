/** CELL: information on a cell's position, value and number format. */
import { columnLetters } from '#shared/codecs/cell-address.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';
import { toText, VALUE_ERROR } from '#server/calculation/values/coerce.ts';
import { Areas, Range } from '#server/calculation/values/matrix.ts';
import type { FormulaValue } from '#server/calculation/values/matrix.ts';
import { splitSections } from '#server/calculation/values/number-format/tokens.ts';
import { defineFunction, type CallContext, type FunctionDefinition } from '../function.ts';

/** Codes of date formats, as patterns without irrelevant characters. Source: Microsoft, CELL. */
const DATE_CODES: readonly [RegExp, string][] = [
  [/^d{1,2}mmm(yy|yyyy)$/, 'D1'],
  [/^d{1,2}mmm$/, 'D2'],
  [/^mmm(yy|yyyy)$/, 'D3'],
  [/^(m{1,2}d{1,2}(yy|yyyy)|yyyym{1,2}d{1,2}|d{1,2}m{1,2}(yy|yyyy))(h{1,2}:?mm)?$/, 'D4'],
  [/^(m{1,2}d{1,2}|d{1,2}m{1,2})$/, 'D5'],
  [/^h{1,2}mmssam\/pm$/, 'D6'],
  [/^h{1,2}mmam\/pm$/, 'D7'],
  [/^h{1,2}mmss$/, 'D8'],
  [/^h{1,2}mm$/, 'D9'],
];

/** Removes colors, brackets, quotes and fill, which do not affect the code of a format. */
const bare = (section: string): string =>
  section
    .replace(/\[\$([^\]-]*)[^\]]*\]/g, '$1')
    .replace(/\[[^\]]*\]|_.|\*.|\\(?=.)/g, '')
    .replace(/"([^"]*)"/g, '$1');

/** Returns the code of a number format as in CELL("format"). */
export function formatCode(code: string): string {
  const sections = splitSections(code);
  const first = bare(sections[0]!);
  const date = first.toLowerCase().replace(/[^a-z/]|\/(?!pm)/g, '');
  const found =
    /[dmyhs]/i.test(first) && !/[0#?]/.test(first) ? DATE_CODES.find(([pattern]) => pattern.test(date)) : null;
  return (found ? found[1] : numberCode(first)) + marks(sections);
}

function numberCode(section: string): string {
  const decimals = /\.([0#?]+)/.exec(section)?.[1]!.length ?? 0;
  if (!/[0#?]/.test(section) || /[?#0] *\//.test(section)) return 'G';
  if (/E[+-]/i.test(section)) return `S${decimals}`;
  if (section.includes('%')) return `P${decimals}`;
  if (/[$€£¥]/.test(section)) return `C${decimals}`;
  return (/[0#?],[0#?]/.test(section) ? ',' : 'F') + String(decimals);
}

/** Adds '-' if negative numbers are colored and '()' if numbers are in parentheses. */
const marks = (sections: readonly string[]): string =>
  (hasColour(sections) ? '-' : '') + (hasParentheses(sections) ? '()' : '');

const hasColour = (sections: readonly string[]): boolean =>
  /\[(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)\]/i.test(sections[1] ?? '');

const hasParentheses = (sections: readonly string[]): boolean => bare(sections[0]!).includes('(');

function kindOf(value: CellValue): string {
  if (value === null) return 'b';
  return typeof value === 'string' ? 'l' : 'v';
}

/** Addresses of cells on other sheets include the sheet. */
function address({ sheet, top, left }: Range, context: CallContext): string {
  const cell = `$${columnLetters(left)}$${top + 1}`;
  if (sheet === context.sheet) return cell;
  const name = context.sheetNames()[sheet]!;
  return /^[A-Za-z_][\w.]*$/.test(name) ? `${name}!${cell}` : `'${name.replaceAll("'", "''")}'!${cell}`;
}

function infoOf(kind: string, range: Range, context: CallContext): FormulaValue {
  const { sheet, top, left } = range;
  const sections = (): string[] => splitSections(context.numberFormat(sheet, top, left));
  switch (kind) {
    case 'address':
      return address(range, context);
    case 'col':
      return left + 1;
    case 'row':
      return top + 1;
    case 'contents':
      return range.at(0, 0) ?? 0;
    case 'type':
      return kindOf(range.at(0, 0));
    case 'color':
      return hasColour(sections()) ? 1 : 0;
    case 'parentheses':
      return hasParentheses(sections()) ? 1 : 0;
    case 'format':
      return formatCode(context.numberFormat(sheet, top, left));
    // The workbook has no path here; formulas parse the sheet name after the ']'.
    case 'filename':
      return `[Workbook.xlsx]${context.sheetNames()[sheet]!}`;
    // Cells are locked by default.
    case 'protect':
      return 1;
    default:
      return VALUE_ERROR;
  }
}

export const cellFunctions: FunctionDefinition[] = [
  defineFunction(
    'CELL',
    'vR',
    ([kind, reference], context) => {
      const text = toText(kind as CellValue);
      if (typeof text !== 'string') return text;
      const { sheet, row, col } = context;
      const own = { top: row, left: col, bottom: row, right: col };
      const range = reference instanceof Areas ? reference.ranges[0]! : reference;
      if (range instanceof Range) return infoOf(text.toLowerCase(), range, context);
      return range === undefined ? infoOf(text.toLowerCase(), context.range(sheet, own), context) : VALUE_ERROR;
    },
    { required: 1 },
  ),
];
