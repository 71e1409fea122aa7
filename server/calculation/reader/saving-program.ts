/**
 * Detects which program saved a workbook. Several programs write 'Microsoft Excel' into docProps/app.xml, leave its
 * previous content, or write no such part. But they write other parts differently from Excel.
 */
import type { XmlScanner } from './xml-scanner.ts';

export interface SavingProgram {
  /** Null if nothing reveals it. */
  program: string | null;
  /** The part that reveals it. */
  programPart: string;
}

export const PROPERTIES_PART = 'docProps/app.xml';
/** Excel's own name in the workbook part. */
const EXCEL = /^(?:xl|Microsoft Office Excel)$/;
/** Declared by the sheets of WPS. Excel drops this data when it saves. */
const WPS = 'http://www.wps.cn/officeDocument/2017/etCustomData';
/** Google Sheets declares it in every workbook; Excel does not. */
const MAC_DRAWINGS = 'urn:schemas-microsoft-com:mac:vml';

/** `xml` must be at the root of the workbook part. */
export const isOfGoogle = (xml: XmlScanner): boolean => xml.attribute('xmlns:mv') === MAC_DRAWINGS;

/** `xml` must be at the root of a sheet. */
export const isOfWps = (xml: XmlScanner): boolean => xml.attribute('xmlns:etc') === WPS;

export interface ProgramTraces {
  /** From docProps/app.xml. */
  named: string | null;
  /** `fileVersion appName` of the workbook part (ECMA-376 part 1, 18.2.13), whose path is `workbookPath`. */
  appName: string | null;
  isOfGoogle: boolean;
  workbookPath: string;
  /** A sheet written by WPS. */
  wpsSheet: string | null;
}

export function savingProgram({ named, appName, isOfGoogle, workbookPath, wpsSheet }: ProgramTraces): SavingProgram {
  if (wpsSheet !== null && named?.startsWith('WPS') !== true)
    return { program: 'WPS Spreadsheets', programPart: wpsSheet };
  const inWorkbook = (program: string): SavingProgram => ({ program, programPart: workbookPath });
  if (appName === 'Calc' && !/^(?:LibreOffice|OpenOffice)/.test(named ?? '')) return inWorkbook('LibreOffice');
  if (named === null && appName !== null && appName !== 'Calc' && !EXCEL.test(appName)) return inWorkbook(appName);
  if (named === null && isOfGoogle) return inWorkbook('Google Sheets');
  return { program: named, programPart: PROPERTIES_PART };
}
