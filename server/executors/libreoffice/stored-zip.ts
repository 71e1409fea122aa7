/**
 * Writes an uncompressed zip archive for a reader on the same machine. Layout: PKWARE APPNOTE 6.3.10, sections 4.3.7,
 * 4.3.12, 4.3.16.
 */
import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';

const VERSION = 20;
/** 1 January 1980, a date that every reader accepts. */
const DATE = 0x21;

export function storedZip(parts: ReadonlyMap<string, Buffer>): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, data] of parts) {
    const name = Buffer.from(path);
    const fields = sharedFields(name, data);
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), fields, name]);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('504b01021400', 'hex'), fields, central, name]));
    files.push(local, data);
    offset += local.length + data.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('504b0506', 0, 'hex');
  end.writeUInt16LE(parts.size, 8);
  end.writeUInt16LE(parts.size, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, entries, end]);
}

/**
 * Returns the fields from 'version needed' to the length of the extra field, which are the same in local headers and
 * the directory.
 */
function sharedFields(name: Buffer, data: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(DATE, 8);
  fields.writeUInt32LE(crc32(data), 10);
  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(data.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}
