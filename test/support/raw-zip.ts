/** Builds zip archives byte by byte, for files that a proper library would refuse to write. */
import { Buffer } from 'node:buffer';
import { crc32, deflateRawSync } from 'node:zlib';

export interface RawEntry {
  path: string;
  data: string | Uint8Array;
  /** False values for the headers. */
  claimedSize?: number;
  claimedCrc?: number;
  /** General purpose flags; 1 marks the entry as encrypted. */
  flags?: number;
  /** 0 stores, 8 deflates (the default); other methods are only declared. */
  method?: number;
}

/**
 * Builds the archive synchronously, without checks. `count` is the number of entries declared at the end of the
 * directory.
 */
export function rawZip(entries: readonly RawEntry[], count = entries.length): Buffer {
  const chunks: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const data = Buffer.from(entry.data as Uint8Array);
    const method = entry.method ?? 8;
    const stored = method === 8 ? deflateRawSync(data, { level: 9 }) : data;
    const name = Buffer.from(entry.path);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE((entry.flags ?? 0) | 0x0800, 2);
    fields.writeUInt16LE(method, 4);
    fields.writeUInt16LE(0x21, 8);
    fields.writeUInt32LE(entry.claimedCrc ?? crc32(data), 10);
    fields.writeUInt32LE(stored.length, 14);
    fields.writeUInt32LE(entry.claimedSize ?? data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('504b01021400', 'hex'), fields, tail, name]));
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), fields, name, stored]);
    chunks.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('504b0506', 0, 'hex');
  end.writeUInt16LE(Math.min(count, 0xffff), 8);
  end.writeUInt16LE(Math.min(count, 0xffff), 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...chunks, central, end]);
}
