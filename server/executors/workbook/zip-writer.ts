/**
 * Writes a workbook file from an opened one. Unchanged parts are copied from the archive with their compressed data;
 * only changed parts are compressed again. Layout: PKWARE APPNOTE 6.3.10, sections 4.3.7, 4.3.12, 4.3.16.
 */
import { Buffer } from 'node:buffer';
import { promisify } from 'node:util';
import { crc32, deflateRaw, deflateRawSync } from 'node:zlib';
import type { PackageEntry, WorkbookPackage } from './package.ts';

const compress = promisify(deflateRaw);

const DEFLATED = 8;
/** Parts up to this many bytes are compressed synchronously, because passing them to another thread takes longer. */
const SMALL_BYTES = 256 * 1024;
/**
 * The only bit of the general purpose flag that is preserved: the name is UTF-8. Bit 3 is cleared, because sizes are
 * now in the header.
 */
const UTF8_NAME = 0x0800;
const ZIP64_EXTRA = 0x0001;
/** Version 2.0: deflate and folders. */
const VERSION = 20;

/** The header fields of an entry that do not depend on its data. */
type EntryHeader = Pick<
  PackageEntry['entry'],
  | 'generalPurposeBitFlag'
  | 'lastModFileTime'
  | 'lastModFileDate'
  | 'fileNameRaw'
  | 'versionMadeBy'
  | 'fileCommentRaw'
  | 'internalFileAttributes'
  | 'externalFileAttributes'
  | 'extraFields'
>;

interface OutputEntry {
  header: EntryHeader;
  method: number;
  crc: number;
  size: number;
  data: Uint8Array;
}

/**
 * Writes the package. `changed` maps lower-case paths to new bytes, or to null for parts to omit; the order of the
 * archive is preserved. `added` maps paths to parts that are appended.
 */
export async function writePackage(
  workbook: WorkbookPackage,
  changed: ReadonlyMap<string, Uint8Array | null>,
  added: ReadonlyMap<string, Uint8Array> = new Map(),
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  const add = (chunk: Uint8Array) => {
    chunks.push(chunk);
    offset += chunk.length;
  };
  const write = (output: OutputEntry) => {
    directory.push(centralHeader(output, offset));
    add(localHeader(output));
    add(output.data);
  };
  for (const source of workbook.entries) {
    const key = source.path.toLowerCase();
    const bytes = changed.has(key) ? changed.get(key) : source.changed;
    if (bytes === null) continue;
    write(bytes === undefined ? copiedEntry(source) : await writtenEntry(source.entry, bytes));
  }
  for (const [path, bytes] of added) write(await writtenEntry(newHeader(path), bytes));
  const start = offset;
  for (const header of directory) add(header);
  add(endOfDirectory(directory.length, start, offset - start));
  return Buffer.concat(chunks, offset);
}

function copiedEntry({ entry, compressed }: PackageEntry): OutputEntry {
  const { compressionMethod, crc32: crc, uncompressedSize } = entry;
  return { header: entry, method: compressionMethod, crc, size: uncompressedSize, data: compressed };
}

async function writtenEntry(header: EntryHeader, bytes: Uint8Array): Promise<OutputEntry> {
  const options = { level: 6 };
  const data = bytes.length <= SMALL_BYTES ? deflateRawSync(bytes, options) : await compress(bytes, options);
  return { header, method: DEFLATED, crc: crc32(bytes), size: bytes.length, data };
}

/** 1 January 1980, the first date that an archive can hold. A fixed date makes the same marks give the same bytes. */
const FIRST_DATE = 0x21;

const newHeader = (path: string): EntryHeader => ({
  generalPurposeBitFlag: UTF8_NAME,
  lastModFileTime: 0,
  lastModFileDate: FIRST_DATE,
  fileNameRaw: Buffer.from(path),
  versionMadeBy: VERSION,
  fileCommentRaw: Buffer.alloc(0),
  internalFileAttributes: 0,
  externalFileAttributes: 0,
  extraFields: [],
});

/** Writes the fields that a local header and its directory entry share, from 'version needed' on (26 bytes). */
function sharedFields({ header: entry, method, crc, size, data }: OutputEntry, extraLength: number): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(entry.generalPurposeBitFlag & UTF8_NAME, 2);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt16LE(entry.lastModFileTime, 6);
  fields.writeUInt16LE(entry.lastModFileDate, 8);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(entry.fileNameRaw.length, 22);
  fields.writeUInt16LE(extraLength, 24);
  return fields;
}

function localHeader(output: OutputEntry): Buffer {
  const signature = Buffer.from('504b0304', 'hex');
  return Buffer.concat([signature, sharedFields(output, 0), output.header.fileNameRaw]);
}

function centralHeader(output: OutputEntry, offset: number): Buffer {
  const entry = output.header;
  const extra = Buffer.concat(entry.extraFields.filter(({ id }) => id !== ZIP64_EXTRA).map(extraField));
  const head = Buffer.alloc(6);
  head.write('504b0102', 0, 'hex');
  head.writeUInt16LE(entry.versionMadeBy, 4);
  const tail = Buffer.alloc(14);
  tail.writeUInt16LE(entry.fileCommentRaw.length, 0);
  tail.writeUInt16LE(entry.internalFileAttributes, 4);
  tail.writeUInt32LE(entry.externalFileAttributes, 6);
  tail.writeUInt32LE(offset, 10);
  return Buffer.concat([
    head,
    sharedFields(output, extra.length),
    tail,
    entry.fileNameRaw,
    extra,
    entry.fileCommentRaw,
  ]);
}

function extraField({ id, data }: { id: number; data: Buffer }): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
}

function endOfDirectory(count: number, start: number, size: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('504b0506', 0, 'hex');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(start, 16);
  return end;
}
