/** Checks [Content_Types].xml, which tells whether the archive is a workbook or another Office document. */
import { SAVE_AGAIN, WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import type { WorkbookParts } from '#server/calculation/reader/relationships.ts';
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import { toUtf8 } from '#server/calculation/reader/xml-text.ts';

export const CONTENT_TYPES = '[Content_Types].xml';

const WORKBOOK = /(sheet\.main\+xml|sheet\.macroenabled\.main\+xml)$/i;
const BINARY = /sheet\.binary\.macroenabled\.main$/i;
const TEMPLATE = /(spreadsheetml\.template\.main\+xml|ms-excel\.(template|addin)\.macroenabled\.main\+xml)$/i;

/** Refuses archives that are not a workbook that a run could write back as .xlsx or .xlsm. */
export function checkContentTypes(parts: WorkbookParts): void {
  const bytes = parts.part(CONTENT_TYPES);
  if (!bytes) {
    const document = parts.paths.includes('content.xml') ? 'an OpenDocument file' : 'a zip archive with other files';
    throw wrongType(`The file is not an Excel workbook, but ${document}.`);
  }
  const types = readContentTypes(bytes);
  if (types.some((type) => WORKBOOK.test(type))) return;
  if (types.some((type) => BINARY.test(type))) {
    const message =
      'The workbook is in the binary format (.xlsb). Save it in Excel as .xlsx or .xlsm, and upload the saved file.';
    throw new WorkbookFileError('binaryFormat', message);
  }
  if (types.some((type) => TEMPLATE.test(type))) {
    const message =
      'The file is a template or an add-in. Save it in Excel as .xlsx or .xlsm, and upload the saved file.';
    throw new WorkbookFileError('template', message);
  }
  if (types.some((type) => type.includes('wordprocessingml'))) throw wrongType('The file is a Word document.');
  if (types.some((type) => type.includes('presentationml'))) throw wrongType('The file is a PowerPoint presentation.');
  throw wrongType('The file is an Office document, but not an Excel workbook.');
}

function readContentTypes(bytes: Uint8Array): string[] {
  const types: string[] = [];
  const xml = new XmlScanner(toUtf8(bytes, CONTENT_TYPES), CONTENT_TYPES);
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token === XmlToken.Open) types.push(xml.attribute('ContentType') ?? '');
  }
  return types;
}

function wrongType(what: string): WorkbookFileError {
  return new WorkbookFileError('wrongType', `${what} ${SAVE_AGAIN}`);
}
