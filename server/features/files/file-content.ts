/** Whether the first bytes of a file are such as its name promises. Not whether the rest is: who reads it finds that out. */
import { extname } from 'node:path';

/** Bytes of the beginning that are looked at: PDF lets its mark stand anywhere among them. */
export const HEAD_BYTES = 1024;

type Mark = (head: Buffer) => boolean;

const beginsWith =
  (...marks: string[]): Mark =>
  (head) =>
    marks.some((mark) => head.subarray(0, mark.length).equals(Buffer.from(mark, 'latin1')));

const isZip = beginsWith('PK\u0003\u0004', 'PK\u0005\u0006');
/** Compound file: what Office makes of a document with a password, and of its formats before 2007. */
const isCompound = beginsWith('\u00d0\u00cf\u0011\u00e0');
const isPdf: Mark = (head) => head.includes('%PDF-');
const isPng = beginsWith('\u0089PNG');
const isJpeg = beginsWith('\u00ff\u00d8\u00ff');
const isGif = beginsWith('GIF8');
const isWebp: Mark = (head) => beginsWith('RIFF')(head) && head.subarray(8, 12).equals(Buffer.from('WEBP'));
const isExecutable = beginsWith('MZ', '\u007fELF');
/** Text of whatever encoding is only known by what it is not. */
const isText: Mark = (head) =>
  ![isZip, isCompound, beginsWith('%PDF-'), isPng, isJpeg, isGif, isWebp, isExecutable].some((mark) => mark(head));
const isOffice: Mark = (head) => isZip(head) || isCompound(head);

const KINDS: [Mark, string[]][] = [
  [isOffice, ['.xlsx', '.xlsm', '.xltx', '.xltm', '.docx', '.docm', '.pptx', '.pptm']],
  [isZip, ['.zip', '.ods', '.odt']],
  [isPdf, ['.pdf']],
  [isPng, ['.png']],
  [isJpeg, ['.jpg', '.jpeg']],
  [isGif, ['.gif']],
  [isWebp, ['.webp']],
  [isText, ['.csv', '.tsv', '.txt', '.json', '.xml']],
];

const BY_EXTENSION = new Map(KINDS.flatMap(([mark, names]) => names.map((name) => [name, mark] as const)));

/** What is wrong with the content of an uploaded file; null where nothing is, or where the name promises nothing that is known. */
export function contentIssue(fileName: string, head: Buffer): string | null {
  const extension = extname(fileName).toLowerCase();
  const mark = BY_EXTENSION.get(extension);
  if (!mark || mark(head)) return null;
  return `${fileName} is not what its name says: a file that ends with ${extension} begins differently`;
}
