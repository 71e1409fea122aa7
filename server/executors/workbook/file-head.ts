/** Detects the type of a file by its first bytes: many files uploaded as '.xlsx' are something else. */
import { Buffer } from 'node:buffer';
import { COPY_AGAIN, REMOVE_PASSWORD, WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';

/**
 * Compound files contain workbooks of Excel 97 to 2003, and encrypted workbooks of current versions ([MS-CFB] 2.2,
 * [MS-OFFCRYPTO] 1.3).
 */
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const LOCAL_HEADER = Buffer.from('504b0304', 'hex');
const EMPTY_ARCHIVE = Buffer.from('504b0506', 'hex');

/** Refuses every file that does not begin like a zip archive, and says what to do. */
export function checkFileHead(bytes: Uint8Array): void {
  if (bytes.length === 0)
    throw new WorkbookFileError('empty', 'The file is empty. Save the workbook in Excel and upload it again.');
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 512));
  if (startsWith(head, LOCAL_HEADER) || startsWith(head, EMPTY_ARCHIVE)) return;
  if (startsWith(head, COMPOUND_FILE)) throw compoundFile(bytes);
  if (head.length < 4 && LOCAL_HEADER.subarray(0, head.length).equals(head)) {
    throw new WorkbookFileError('truncated', `The workbook is incomplete: its end is missing. ${COPY_AGAIN}`);
  }
  throw new WorkbookFileError(
    'notAWorkbook',
    `The file is not an Excel workbook${looksLike(head)}. Open it in Excel, save it as .xlsx or .xlsm, and upload the saved file.`,
  );
}

function compoundFile(bytes: Uint8Array): WorkbookFileError {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (content.includes(Buffer.from('EncryptedPackage', 'utf16le'))) {
    return new WorkbookFileError('passwordProtected', `The workbook is protected by a password. ${REMOVE_PASSWORD}`);
  }
  return new WorkbookFileError(
    'oldFormat',
    'The workbook is in the format of Excel 97-2003 (.xls). Open it in Excel, save it as .xlsx or .xlsm, and upload the saved file.',
  );
}

function looksLike(head: Buffer): string {
  const text = head
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
    .toLowerCase();
  if (text.startsWith('%pdf')) return ', but a PDF';
  if (text.startsWith('<!doctype html') || text.startsWith('<html') || text.startsWith('<table'))
    return ', but a web page';
  if (text.startsWith('<?xml')) return ', but an XML file';
  // eslint-disable-next-line no-control-regex
  return /^[^\u0000-\u0008]+$/.test(text) ? ', but a text file' : '';
}

function startsWith(bytes: Buffer, head: Buffer): boolean {
  return bytes.subarray(0, head.length).equals(head);
}
