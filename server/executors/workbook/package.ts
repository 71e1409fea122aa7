/** Opens a workbook file: an untrusted zip archive, checked against limits before and during unzipping. */
import { Buffer } from 'node:buffer';
import { crc32, inflateRawSync } from 'node:zlib';
import yauzl from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import type { WorkbookParts } from '#server/calculation/reader/relationships.ts';
import { isCutOff } from '#server/base/zip-problem.ts';
import {
  COPY_AGAIN,
  damaged,
  REMOVE_PASSWORD,
  SAVE_AGAIN,
  WorkbookFileError,
} from '#server/calculation/reader/workbook-file-error.ts';
import { checkContentTypes } from './content-types.ts';
import { withoutDefaultPassword } from './encrypted/default-password.ts';
import { checkFileHead } from './file-head.ts';
import { PACKAGE_LIMITS } from './package-limits.ts';
import type { PackageLimits } from './package-limits.ts';

const STORED = 0;
const DEFLATED = 8;
/** Maximum bytes allocated for a part before any of it is unzipped. */
const MAX_PREALLOCATED_BYTES = 256 * 2 ** 20;

/** One entry of the archive with its compressed data. */
export interface PackageEntry {
  /** As in the file; directories end with '/'. */
  path: string;
  entry: Entry;
  compressed: Uint8Array;
  /** Replaces `compressed`; not compressed yet. */
  changed?: Uint8Array;
}

/** A workbook file that passed the archive checks. Parts are unzipped on request, each within its limits. */
export interface WorkbookPackage extends WorkbookParts {
  /** All entries in the order of the archive, including directories. */
  readonly entries: readonly PackageEntry[];
  /** Returns the unzipped part; undefined if there is none. Throws WorkbookFileError if its data is damaged. */
  part(path: string): Uint8Array | undefined;
}

/**
 * Opens an .xlsx or .xlsm. Throws WorkbookFileError if the bytes are not such a file, exceed `limits`, or look
 * malicious. Retains `bytes`: they must not change while the package is in use.
 */
export async function openPackage(bytes: Uint8Array, limits: PackageLimits = PACKAGE_LIMITS): Promise<WorkbookPackage> {
  if (bytes.length > limits.fileBytes) throw tooLarge('The file', limits.fileBytes);
  const archive = withoutDefaultPassword(bytes);
  checkFileHead(archive);
  const buffer = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const entries = await readEntries(buffer, limits);
  checkOverlaps(entries, buffer);
  const workbook = createPackage(entries);
  checkContentTypes(workbook);
  return workbook;
}

async function readEntries(buffer: Buffer, limits: PackageLimits): Promise<PackageEntry[]> {
  const entries: PackageEntry[] = [];
  const seen = new Set<string>();
  let total = 0;
  try {
    const zip = await openZip(buffer);
    if (zip.entryCount > limits.parts) throw tooManyParts(limits);
    for await (const entry of zip.eachEntry()) {
      if (entries.length >= limits.parts) throw tooManyParts(limits);
      const path = checkedPath(entry, limits);
      if (seen.has(path.toLowerCase())) throw duplicate(path);
      seen.add(path.toLowerCase());
      checkEntry(entry, path, limits);
      total += entry.uncompressedSize;
      if (total > limits.totalBytes) throw tooLarge('The unzipped workbook', limits.totalBytes);
      const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
      if (fileDataStart + entry.compressedSize > buffer.length) throw truncated();
      entries.push({ path, entry, compressed: buffer.subarray(fileDataStart, fileDataStart + entry.compressedSize) });
    }
  } catch (error) {
    throw error instanceof WorkbookFileError ? error : zipError(error);
  }
  return entries;
}

/** Leaves names undecoded, so that a bad name is reported as our error and not as the library's. */
function openZip(buffer: Buffer): Promise<ZipFile> {
  return yauzl.fromBufferPromise(buffer, { decodeStrings: false, validateEntrySizes: true, lazyEntries: true });
}

function checkedPath(entry: Entry, limits: PackageLimits): string {
  // Old .NET exporters separate folders with '\'. Excel opens their files, so we read it as '/' and then check the
  // path.
  const path = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
  const isUnsafe = path.includes('\0') || yauzl.validateFileName(path) !== null;
  if (!isUnsafe && path.length <= limits.pathChars) return path;
  const shown = path.length > 80 ? `${path.slice(0, 80)}…` : path;
  throw new WorkbookFileError(
    'unsafePath',
    `The workbook was rejected: it contains a part with the path '${shown}', which no spreadsheet program writes. ${SAVE_AGAIN}`,
  );
}

function checkEntry(entry: Entry, path: string, limits: PackageLimits): void {
  if (entry.isEncrypted()) {
    throw new WorkbookFileError('passwordProtected', `The workbook is protected by a password. ${REMOVE_PASSWORD}`);
  }
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw damaged(`the part ${path} is compressed by a method that no spreadsheet program uses`);
  }
  if (entry.uncompressedSize > limits.partBytes) throw tooLarge(`The part ${path}`, limits.partBytes);
  const isBomb = entry.uncompressedSize > limits.ratio * Math.max(entry.compressedSize, 1);
  if (entry.uncompressedSize > limits.ratioFreeBytes && isBomb) {
    throw new WorkbookFileError(
      'compressionRatio',
      `The workbook was rejected: the part ${path} would grow more than ${limits.ratio} times when unzipped, as in a zip bomb. ${SAVE_AGAIN}`,
    );
  }
}

/** Refuses entries that share data: they would let a small archive unzip to a huge one. */
function checkOverlaps(entries: readonly PackageEntry[], buffer: Buffer): void {
  const ranges = entries
    .map(({ entry, compressed }) => ({
      start: entry.relativeOffsetOfLocalHeader,
      end: compressed.byteOffset - buffer.byteOffset + compressed.byteLength,
    }))
    .sort((a, b) => a.start - b.start);
  for (const [index, range] of ranges.entries()) {
    if (index > 0 && range.start < ranges[index - 1]!.end) {
      throw damaged('parts of the zip archive overlap');
    }
  }
}

function createPackage(entries: readonly PackageEntry[]): WorkbookPackage {
  // Part names are case-insensitive (ECMA-376 part 2, 6.3.4).
  const files = entries.filter(({ path }) => !path.endsWith('/'));
  const byPath = new Map(files.map((entry) => [entry.path.toLowerCase(), entry]));
  return {
    entries,
    paths: files.map(({ path }) => path),
    part: (path) => {
      const entry = byPath.get(path.toLowerCase());
      return entry && unzip(entry);
    },
  };
}

/** Returns the same package with a cache of unzipped parts that holds at most `maxBytes` in all. */
export function withCachedParts(workbook: WorkbookPackage, maxBytes: number): WorkbookPackage {
  const cached = new Map<string, Uint8Array>();
  let size = 0;
  return {
    ...workbook,
    part: (path) => {
      const key = path.toLowerCase();
      const part = cached.get(key) ?? workbook.part(path);
      if (part && !cached.has(key) && size + part.length <= maxBytes) {
        cached.set(key, part);
        size += part.length;
      }
      return part;
    },
  };
}

function unzip({ path, entry, compressed }: PackageEntry): Uint8Array {
  let bytes = compressed;
  if (entry.compressionMethod === DEFLATED) {
    try {
      // One byte more than declared, to detect a part that declares too small a size.
      const { uncompressedSize } = entry;
      // Unzips in one chunk if the declared size is true, because several chunks would have to be concatenated.
      const chunkSize = Math.min(Math.max(uncompressedSize + 1, 64), MAX_PREALLOCATED_BYTES);
      bytes = inflateRawSync(compressed, { maxOutputLength: uncompressedSize + 1, chunkSize });
    } catch (error) {
      const detail = isCutOff(error) ? `the part ${path} is cut off` : `the data of the part ${path} have been changed`;
      throw damaged(detail, { cause: error });
    }
  }
  if (bytes.length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32) {
    throw damaged(`the part ${path} does not match its entry in the archive`);
  }
  return bytes;
}

function tooLarge(what: string, limit: number): WorkbookFileError {
  const megabytes = Math.round(limit / 1024 / 1024).toLocaleString('en');
  const advice = 'Delete sheets, pictures and empty formatted rows that are not needed, or split the workbook.';
  return new WorkbookFileError('tooLarge', `${what} is larger than ${megabytes} MB. ${advice}`);
}

function tooManyParts(limits: PackageLimits): WorkbookFileError {
  const message = `The workbook was rejected: its archive has more than ${limits.parts.toLocaleString('en')} parts. ${SAVE_AGAIN}`;
  return new WorkbookFileError('tooManyParts', message);
}

function duplicate(path: string): WorkbookFileError {
  const message = `The workbook was rejected: its archive has the part ${path} twice. ${SAVE_AGAIN}`;
  return new WorkbookFileError('duplicatePart', message);
}

function truncated(cause?: unknown): WorkbookFileError {
  const message = `The workbook is incomplete: its end is missing. ${COPY_AGAIN}`;
  return new WorkbookFileError('truncated', message, { cause });
}

function zipError(error: unknown): WorkbookFileError {
  return isCutOff(error) ? truncated(error) : damaged('its zip archive is inconsistent', { cause: error });
}
