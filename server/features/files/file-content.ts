/**
 * Whether a file that calls itself a document begins as a program does. Nothing more is asked of it: exports of other programs are often
 * named after what should open them (tables in HTML as .xls), and texts may begin with anything.
 */
import { extname } from 'node:path';

/** Bytes of the beginning that are looked at. */
export const HEAD_BYTES = 64;

const DOCUMENTS = new Set(
  ['xlsx', 'xlsm', 'xltx', 'xltm', 'xlsb', 'xls', 'ods', 'docx', 'docm', 'doc', 'odt', 'pptx', 'pptm', 'ppt', 'pdf']
    .concat(['png', 'jpg', 'jpeg', 'gif', 'webp', 'svg', 'csv', 'tsv', 'txt', 'json', 'xml', 'html', 'htm', 'zip'])
    .map((name) => `.${name}`),
);

/** Programs of Linux, and of Windows: the latter's two letters may begin a text too, which has no bytes of zero. */
const isProgram = (head: Buffer): boolean => {
  const mark = head.toString('latin1');
  return mark.startsWith('\u007fELF') || (mark.startsWith('MZ') && head.subarray(0, HEAD_BYTES).includes(0));
};

/** What is wrong with the content of an uploaded file; null where nothing is, or where the name promises no document. */
export function contentIssue(fileName: string, head: Buffer): string | null {
  const extension = extname(fileName).toLowerCase();
  if (!DOCUMENTS.has(extension) || !isProgram(head)) return null;
  return `${fileName} is not what its name says: it is a program, not a ${extension} file`;
}
