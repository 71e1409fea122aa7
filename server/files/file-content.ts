/**
 * Detects programs that are named as documents. It checks nothing else. Exports of other programs are often named after
 * the program that should open them (HTML tables as .xls), and texts may begin with anything.
 */
import { extname } from 'node:path';

/** Number of leading bytes that are inspected. */
export const HEAD_BYTES = 64;

const DOCUMENTS = new Set(
  ['xlsx', 'xlsm', 'xltx', 'xltm', 'xlsb', 'xls', 'ods', 'docx', 'docm', 'doc', 'odt', 'pptx', 'pptm', 'ppt', 'pdf']
    .concat(['png', 'jpg', 'jpeg', 'gif', 'webp', 'svg', 'csv', 'tsv', 'txt', 'json', 'xml', 'html', 'htm', 'zip'])
    .map((name) => `.${name}`),
);

/**
 * Recognizes programs of Linux and Windows. A text may also begin with the two letters of a Windows program, but it
 * contains no zero bytes.
 */
const isProgram = (head: Buffer): boolean => {
  const mark = head.toString('latin1');
  return mark.startsWith('\u007fELF') || (mark.startsWith('MZ') && head.subarray(0, HEAD_BYTES).includes(0));
};

/**
 * Returns what is wrong with the content of an uploaded file; null if nothing is, or if the name does not claim to be a
 * document.
 */
export function contentIssue(fileName: string, head: Buffer): string | null {
  const extension = extname(fileName).toLowerCase();
  if (!DOCUMENTS.has(extension) || !isProgram(head)) return null;
  return `${fileName} is a program, not the ${extension} file that its name suggests`;
}
