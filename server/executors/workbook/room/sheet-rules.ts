/**
 * Reads data validations and conditional formats of a sheet part, including those in extensions: their ranges and their
 * formulas.
 */
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import { parseBlock } from '#shared/codecs/cell-address.ts';
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { FORMULAS } from '../sheet-ranges.ts';

export interface SheetRule {
  blocks: CellBlock[];
  /** Without '='; based on the first cell of the blocks. */
  formulas: string[];
}

export interface SheetRanges {
  rules: SheetRule[];
  /** Formulas without their own cells: those of sparklines, and the targets of links and controls. */
  formulas: string[];
  /** Filters of cells outside tables. */
  filters: CellBlock[];
}

const RULES: ReadonlySet<string> = new Set(['dataValidation', 'conditionalFormatting']);

/** `bytes` must be UTF-8. */
export function readSheetRanges(bytes: Uint8Array, part: string): SheetRanges {
  const found: SheetRanges = { rules: [], formulas: [], filters: [] };
  const xml = new XmlScanner(bytes, part);
  let rule: SheetRule | null = null;
  let element = '';
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token === XmlToken.Close && RULES.has(xml.name)) rule = null;
    if (token === XmlToken.Text && element === 'sqref') rule?.blocks.push(...blocksOf(xml.text()));
    else if (token === XmlToken.Text && FORMULAS.has(element)) (rule ?? found).formulas.push(xml.text());
    element = token === XmlToken.Open ? xml.name : '';
    if (token !== XmlToken.Open) continue;
    if (xml.name === 'sheetData') {
      xml.skip();
      element = '';
    } else if (RULES.has(xml.name)) {
      rule = { blocks: blocksOf(xml.attribute('sqref') ?? ''), formulas: [] };
      found.rules.push(rule);
    } else if (xml.name === 'cfvo' && xml.attribute('type') === 'formula')
      rule?.formulas.push(xml.attribute('val') ?? '');
    else if (xml.name === 'autoFilter') found.filters.push(...blocksOf(xml.attribute('ref') ?? ''));
    else if (xml.name === 'controlPr')
      for (const name of ['linkedCell', 'listFillRange']) found.formulas.push(xml.attribute(name) ?? '');
  }
  return found;
}

const blocksOf = (list: string): CellBlock[] => list.split(/\s+/).flatMap((ref) => parseBlock(ref) ?? []);
