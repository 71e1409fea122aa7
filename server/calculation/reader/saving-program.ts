/**
 * Which program saved a workbook. Several write 'Microsoft Excel' into docProps/app.xml, or leave what was there, or write no such
 * part; but they write other parts as Excel never does.
 */
import type { XmlScanner } from './xml-scanner.ts';

export interface SavingProgram {
  /** Null where nothing tells. */
  program: string | null;
  /** The part that tells. */
  programPart: string;
}

export const PROPERTIES_PART = 'docProps/app.xml';
/** What Excel calls itself in the workbook part. */
const EXCEL = /^(?:xl|Microsoft Office Excel)$/;
/** Declared by the sheets of WPS, whose data Excel drops when it saves. */
const WPS = 'http://www.wps.cn/officeDocument/2017/etCustomData';
/** Google Sheets declares it in every workbook; Excel does not. */
const MAC_DRAWINGS = 'urn:schemas-microsoft-com:mac:vml';

/** `xml` stands at the root of the workbook part. */
export const isOfGoogle = (xml: XmlScanner): boolean => xml.attribute('xmlns:mv') === MAC_DRAWINGS;

/** `xml` stands at the root of a sheet. */
export const isOfWps = (xml: XmlScanner): boolean => xml.attribute('xmlns:etc') === WPS;

export interface ProgramTraces {
  /** By docProps/app.xml. */
  named: string | null;
  /** `fileVersion appName` of the workbook part (ECMA-376 part 1, 18.2.13), the path of which is `workbookPath`. */
  appName: string | null;
  isOfGoogle: boolean;
  workbookPath: string;
  /** A sheet that WPS has written. */
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
