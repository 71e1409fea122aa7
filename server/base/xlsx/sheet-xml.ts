/** What a sheet part contains before and after its rows, in the order of ECMA-376 part 1, 18.3.1.99. */
import { encodeExcelEscapes, escapeAttribute, escapeXml } from '#shared/codecs/xml-escapes.ts';
import { HEAD, MAIN, RELATIONS } from './namespaces.ts';
import type { Styles } from './styles.ts';

export interface SheetColumn {
  /** In characters; Excel's default width if omitted. */
  width?: number;
  /** Number format of the cells that have no other style. */
  format?: string;
}

export interface Validation {
  /** The cells, such as B2:B100. */
  range: string;
  type: 'list' | 'whole' | 'decimal' | 'textLength';
  operator?: string;
  formulas: readonly (string | number)[];
  allowsBlank: boolean;
  /** What Excel says when it refuses a value. */
  error: string;
}

export interface SheetOptions {
  name: string;
  columns?: readonly SheetColumn[];
  /** Number of rows that stay at the top. */
  frozenRows?: number;
  isHidden?: boolean;
  /** Prints the sheet one page wide. */
  orientation?: 'portrait' | 'landscape';
  validations?: readonly Validation[];
}

export const SHEET_END = '</worksheet>';

export function beforeRows({ columns = [], frozenRows = 0, orientation }: SheetOptions, styles: Styles): string {
  const view =
    frozenRows === 0
      ? ''
      : `<pane ySplit="${frozenRows}" topLeftCell="A${frozenRows + 1}" activePane="bottomLeft" state="frozen"/>` +
        '<selection pane="bottomLeft"/>';
  return (
    `${HEAD}<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONS}">` +
    (orientation ? '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>' : '') +
    `<sheetViews><sheetView workbookViewId="0">${view}</sheetView></sheetViews>` +
    `<sheetFormatPr defaultRowHeight="15"/>${columnsXml(columns, styles)}<sheetData>`
  );
}

function columnsXml(columns: readonly SheetColumn[], styles: Styles): string {
  const items = columns.map(({ width, format }, index) => {
    if (width === undefined) return '';
    const style = styles.indexOf({ format });
    return `<col min="${index + 1}" max="${index + 1}" width="${width}"${style === 0 ? '' : ` style="${style}"`} customWidth="1"/>`;
  });
  const all = items.join('');
  return all === '' ? '' : `<cols>${all}</cols>`;
}

/** Returns everything but the notes. */
export function afterRows({ validations = [], orientation }: SheetOptions): string {
  return (
    '</sheetData>' +
    (validations.length > 0
      ? `<dataValidations count="${validations.length}">${validations.map(validationXml).join('')}</dataValidations>`
      : '') +
    '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>' +
    (orientation ? `<pageSetup orientation="${orientation}" fitToHeight="0"/>` : '')
  );
}

/** Longest text that Excel accepts for a refused value. */
const MAX_ERROR_LENGTH = 255;

function validationXml({ range, type, operator, formulas, allowsBlank, error }: Validation): string {
  const attributes =
    `type="${type}"${operator === undefined ? '' : ` operator="${operator}"`}${allowsBlank ? ' allowBlank="1"' : ''}` +
    ` showErrorMessage="1" error="${escapeAttribute(encodeExcelEscapes(error.slice(0, MAX_ERROR_LENGTH)))}" sqref="${range}"`;
  const bounds = formulas.map(
    (formula, index) => `<formula${index + 1}>${escapeXml(String(formula))}</formula${index + 1}>`,
  );
  return `<dataValidation ${attributes}>${bounds.join('')}</dataValidation>`;
}
