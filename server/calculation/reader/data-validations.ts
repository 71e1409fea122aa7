/**
 * Reads data validations of a sheet: those of the format's first edition, and those that Excel 2010 added in extensions
 * (x14).
 */
import type { CellBlock } from '#shared/codecs/cell-address.ts';
import { parseBlock } from '#shared/codecs/cell-address.ts';
import type { ReaderLimits } from './reader-limits.ts';
import { checkFormulaLength } from './rich-text.ts';
import { WorkbookFileError } from './workbook-file-error.ts';
import type { DataValidation } from './workbook-model.ts';
import { XmlToken } from './xml-scanner.ts';
import type { XmlScanner } from './xml-scanner.ts';
import { decodeExcelEscapes } from './xml-text.ts';

const TYPES: readonly DataValidation['type'][] = [
  'none',
  'whole',
  'decimal',
  'list',
  'date',
  'time',
  'textLength',
  'custom',
];
const OPERATORS: readonly DataValidation['operator'][] = [
  'between',
  'notBetween',
  'equal',
  'notEqual',
  'lessThan',
  'lessThanOrEqual',
  'greaterThan',
  'greaterThanOrEqual',
];
const ALERTS: readonly DataValidation['alert'][] = ['stop', 'warning', 'information'];

/** Counts merged ranges and ranges of validations against their limit. */
export class BlockBudget {
  private left: number;
  private readonly total: number;

  constructor(total: number) {
    this.left = this.total = total;
  }

  /** Parses a list of ranges separated by blanks ('A1 B2:C4'); omits what is not a range of a sheet. */
  parse(list: string): CellBlock[] {
    const blocks: CellBlock[] = [];
    for (const text of list.split(/\s+/)) {
      const block = text === '' ? null : parseBlock(text);
      if (!block) continue;
      if (this.left-- <= 0) {
        throw new WorkbookFileError(
          'tooManyBlocks',
          `The workbook has more than ${this.total.toLocaleString('en')} merged or validated ranges. ` +
            'Clear the validations and merges that are not needed.',
        );
      }
      blocks.push(block);
    }
    return blocks;
  }
}

/** Call at the Open of <dataValidation>. Moves to its Close. */
export function readValidation(xml: XmlScanner, budget: BlockBudget, limits: ReaderLimits): DataValidation {
  const validation: DataValidation = {
    blocks: budget.parse(xml.attribute('sqref') ?? ''),
    type: oneOf(TYPES, xml.attribute('type')),
    operator: oneOf(OPERATORS, xml.attribute('operator')),
    alert: oneOf(ALERTS, xml.attribute('errorStyle')),
    allowBlank: xml.flag('allowBlank'),
    showsError: xml.flag('showErrorMessage'),
    formula1: '',
    formula2: '',
    promptTitle: decodeExcelEscapes(xml.attribute('promptTitle') ?? ''),
    prompt: decodeExcelEscapes(xml.attribute('prompt') ?? ''),
    errorTitle: decodeExcelEscapes(xml.attribute('errorTitle') ?? ''),
    error: decodeExcelEscapes(xml.attribute('error') ?? ''),
  };
  const depth = xml.depth;
  let formula: 'formula1' | 'formula2' = 'formula1';
  for (;;) {
    const token = xml.next();
    if (token === XmlToken.Close && xml.depth === depth) return validation;
    if (token === XmlToken.Text && (xml.depth === depth + 1 || xml.depth === depth + 2)) {
      validation[formula] = checkFormulaLength(validation[formula] + xml.text().trim(), 'a data validation', limits);
    } else if (token === XmlToken.Open) {
      // x14 writes <x14:formula1><xm:f>…</xm:f></x14:formula1>, and <xm:sqref> as an element.
      if (xml.name === 'formula1' || xml.name === 'formula2') formula = xml.name;
      else if (xml.name === 'sqref') validation.blocks.push(...budget.parse(xml.leaf()));
      else if (xml.name !== 'f') xml.skip();
    }
  }
}

/** Returns the value if the format knows it, otherwise the first one, which is the format's default. */
function oneOf<T extends string>(values: readonly T[], value: string | undefined): T {
  return values.find((known) => known === value) ?? values[0]!;
}
