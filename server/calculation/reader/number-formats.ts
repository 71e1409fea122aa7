/** Number formats of cell styles: xl/styles.xml and the formats Excel knows without it. */
import { XmlScanner, XmlToken } from './xml-scanner.ts';
import type { ReaderLimits } from './reader-limits.ts';
import { decodeExcelEscapes } from './xml-text.ts';

/** ECMA-376 part 1, 18.8.30; 37 to 44 as Excel itself writes them out for en-US. */
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

/** Format codes by style index, at least one; `bytes` is the styles part as UTF-8, undefined where there is none. */
export function readNumberFormats(bytes: Uint8Array | undefined, path: string, limits: ReaderLimits): string[] {
  if (!bytes) return ['General'];
  const custom = new Map<number, string>();
  const formatIds: number[] = [];
  const xml = new XmlScanner(bytes, path, limits);
  let inCellFormats = false;
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (xml.name === 'cellXfs') inCellFormats = token === XmlToken.Open;
    if (token !== XmlToken.Open) continue;
    // Differential formats (dxfs) hold numFmt elements too, of no concern here.
    if (xml.name === 'dxfs' || xml.name === 'extLst') xml.skip();
    else if (xml.name === 'numFmt') {
      custom.set(Number(xml.attribute('numFmtId')), decodeExcelEscapes(xml.attribute('formatCode') ?? ''));
    } else if (inCellFormats && xml.name === 'xf') formatIds.push(Number(xml.attribute('numFmtId') ?? 0));
  }
  const codes = formatIds.map((id) => custom.get(id) ?? BUILT_IN[id] ?? 'General');
  return codes.length > 0 ? codes : ['General'];
}
