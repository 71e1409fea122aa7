/**
 * Reads xl/styles.xml: number formats of cell styles, including Excel's built-in ones, and traces of Excel's language.
 */
import type { RegionTraces } from './workbook-model.ts';
import { XmlScanner, XmlToken } from './xml-scanner.ts';
import type { ReaderLimits } from './reader-limits.ts';
import { decodeExcelEscapes } from './xml-text.ts';

/** Built-in formats of ECMA-376 part 1, 18.8.30; 37 to 44 as Excel itself writes them for en-US. */
const BUILT_IN: Readonly<Record<number, string>> = {
  0: 'General',
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '"$"#,##0_);\\("$"#,##0\\)',
  6: '"$"#,##0_);[Red]\\("$"#,##0\\)',
  7: '"$"#,##0.00_);\\("$"#,##0.00\\)',
  8: '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  37: '#,##0_);(#,##0)',
  38: '#,##0_);[Red](#,##0)',
  39: '#,##0.00_);(#,##0.00)',
  40: '#,##0.00_);[Red](#,##0.00)',
  41: '_(* #,##0_);_(* \\(#,##0\\);_(* "-"_);_(@_)',
  42: '_("$"* #,##0_);_("$"* \\(#,##0\\);_("$"* "-"_);_(@_)',
  43: '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)',
  44: '_("$"* #,##0.00_);_("$"* \\(#,##0.00\\);_("$"* "-"??_);_(@_)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
};

/** Built-in formats with the currency of the region (ECMA-376 part 1, 18.8.30). */
const MONEY_FORMATS = new Set([5, 6, 7, 8, 42, 44]);
const MAX_STYLE_NAMES = 100;

export interface WorkbookStyles extends Pick<RegionTraces, 'styleNames' | 'moneyFormats'> {
  /** Format codes by style index, at least one. */
  numberFormats: string[];
}

/** `bytes` is the styles part as UTF-8, undefined if there is none. */
export function readStyles(bytes: Uint8Array | undefined, path: string, limits: ReaderLimits): WorkbookStyles {
  const styleNames: RegionTraces['styleNames'] = [];
  if (!bytes) return { numberFormats: ['General'], styleNames, moneyFormats: [] };
  const custom = new Map<number, string>();
  const formatIds: number[] = [];
  const xml = new XmlScanner(bytes, path, limits);
  let inCellFormats = false;
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (xml.name === 'cellXfs') inCellFormats = token === XmlToken.Open;
    if (token !== XmlToken.Open) continue;
    // Skip differential formats (dxfs): they contain numFmt elements too, which are irrelevant here.
    if (xml.name === 'dxfs' || xml.name === 'extLst') xml.skip();
    else if (xml.name === 'numFmt') {
      custom.set(Number(xml.attribute('numFmtId')), decodeExcelEscapes(xml.attribute('formatCode') ?? ''));
    } else if (inCellFormats && xml.name === 'xf') formatIds.push(Number(xml.attribute('numFmtId') ?? 0));
    else if (xml.name === 'cellStyle' && styleNames.length < MAX_STYLE_NAMES) takeStyleName(xml, styleNames);
  }
  const codes = formatIds.map((id) => custom.get(id) ?? BUILT_IN[id] ?? 'General');
  const moneyFormats = [...custom].filter(([id]) => MONEY_FORMATS.has(id)).map(([id, code]) => ({ id, code }));
  return { numberFormats: codes.length > 0 ? codes : ['General'], styleNames, moneyFormats };
}

function takeStyleName(xml: XmlScanner, styleNames: RegionTraces['styleNames']): void {
  const id = Number(xml.attribute('builtinId') ?? Number.NaN);
  if (Number.isInteger(id)) styleNames.push({ id, name: decodeExcelEscapes(xml.attribute('name') ?? '') });
}
