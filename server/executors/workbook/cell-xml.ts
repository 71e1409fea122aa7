/** Writes cells as a sheet part holds them (ECMA-376 part 1, 18.3.1.4). */
import { formatBlock, formatCell } from '#shared/codecs/cell-address.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import { encodeExcelEscapes, escapeXml } from '#shared/codecs/xml-escapes.ts';
import { CellError } from '#server/calculation/values/cell-value.ts';
import type { CellValue } from '#server/calculation/values/cell-value.ts';

/** The change of a cell. Undefined properties stay as they are in the file. */
export interface CellChange {
  value?: CellValue;
  /** New text without '='; null removes the formula. */
  formula?: string | null;
  /** New extent of the array formula that the cell contains or gets. */
  arrayBlock?: CellBlock;
  /** The `cm` that makes the array formula a dynamic one; undefined keeps the cell's own. */
  metadata?: number;
  style?: number;
}

/** Maximum length of a cell's text in UTF-16 units. Source: Excel specifications and limits. */
const MAX_TEXT = 32_767;

/**
 * Errors that every version of Excel reads. Excel itself writes newer ones (#SPILL!, #CALC!) as #VALUE! and describes
 * them elsewhere.
 */
const WRITTEN_ERRORS = new Set(['#NULL!', '#DIV/0!', '#VALUE!', '#REF!', '#NAME?', '#NUM!', '#N/A', '#GETTING_DATA']);

export interface ValueXml {
  /** Value of the attribute `t`; '' if it is omitted. */
  type: string;
  /** The <v> or <is> element, or ''. */
  content: string;
}

/**
 * Converts a value to XML. Text constants are written as inline strings: no other part has to change, every reader of
 * the format supports them, and they can never be taken for formulas. `prefix` is that of the sheet's elements ('x:' or
 * '').
 */
export function valueXml(value: CellValue, isResult: boolean, prefix: string, row: number, col: number): ValueXml {
  if (value === null) return { type: '', content: '' };
  if (typeof value === 'number') {
    return Number.isFinite(value) ? plain(prefix, '', String(value)) : plain(prefix, 'e', '#NUM!');
  }
  if (typeof value === 'boolean') return plain(prefix, 'b', value ? '1' : '0');
  if (value instanceof CellError) return plain(prefix, 'e', WRITTEN_ERRORS.has(value.code) ? value.code : '#VALUE!');
  if (value.length > MAX_TEXT) {
    throw new WorkbookFileError(
      'textTooLong',
      `The text for cell ${formatCell(row, col)} has ${value.length.toLocaleString('en')} characters; ` +
        `a cell holds ${MAX_TEXT.toLocaleString('en')} at most.`,
    );
  }
  const text = escapeXml(encodeExcelEscapes(value));
  const space = /^\s|\s$|\n/.test(value) ? ' xml:space="preserve"' : '';
  // Excel writes the attribute on <v> as well, although the schema has none there.
  if (isResult) return { type: 'str', content: `<${prefix}v${space}>${text}</${prefix}v>` };
  return { type: 'inlineStr', content: `<${prefix}is><${prefix}t${space}>${text}</${prefix}t></${prefix}is>` };
}

function plain(prefix: string, type: string, text: string): ValueXml {
  return { type, content: `<${prefix}v>${text}</${prefix}v>` };
}

/** Returns the XML of a cell that the file does not have yet; '' if the cell is empty and has no style. */
export function newCellXml(change: CellChange, style: number, prefix: string, row: number, col: number): string {
  const formula = change.formula ?? null;
  const { type, content } = valueXml(change.value ?? null, formula !== null, prefix, row, col);
  if (formula === null && content === '' && style === 0) return '';
  const { arrayBlock, metadata } = change;
  const cm = formula === null || metadata === undefined ? '' : ` cm="${metadata}"`;
  const attributes = `r="${formatCell(row, col)}"${style > 0 ? ` s="${style}"` : ''}${type === '' ? '' : ` t="${type}"`}${cm}`;
  const array = arrayBlock ? ` t="array" ref="${refOf(arrayBlock)}"` : '';
  const formulaXml = formula === null ? '' : `<${prefix}f${array}>${escapeXml(formula)}</${prefix}f>`;
  const inside = formulaXml + content;
  return inside === '' ? `<${prefix}c ${attributes}/>` : `<${prefix}c ${attributes}>${inside}</${prefix}c>`;
}

/** Returns the value of a `ref` attribute. */
export function refOf(block: CellBlock): string {
  return formatBlock(block);
}
