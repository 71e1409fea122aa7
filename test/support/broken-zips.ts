/** Zip archives that cannot be opened, each for a different reason. */
import { Buffer } from 'node:buffer';
import { rawZip, type RawEntry } from './raw-zip.ts';

export interface BrokenZip {
  what: 'truncated' | 'corrupted' | 'encrypted' | 'bomb';
  bytes: Buffer;
}

/** Terms from the error messages of archive libraries, which users must never see. */
export const LIBRARY_WORDS =
  /central directory|unexpected e|invalid (?:distance|code|block|stored|bit|literal)|incorrect|signature|buffer error|zlib|decrypt|too many (?:length|bytes)|EOF|options\./i;

/** @param parts of a valid archive; the first one is damaged. `bomb` decompresses to more than any reader accepts. */
export function brokenZips(parts: readonly RawEntry[], bomb: readonly RawEntry[]): BrokenZip[] {
  const whole = rawZip(parts);
  const [first, ...rest] = parts;
  return [
    { what: 'truncated', bytes: whole.subarray(0, -30) },
    { what: 'corrupted', bytes: corrupted(whole, first!.path) },
    { what: 'encrypted', bytes: rawZip([{ ...first!, flags: 1 }, ...rest]) },
    { what: 'bomb', bytes: rawZip(bomb) },
  ];
}

/** Replaces the compressed data of the first part by other bytes. */
function corrupted(whole: Buffer, path: string): Buffer {
  const bytes = Buffer.from(whole);
  const start = 30 + Buffer.byteLength(path);
  // A block type that does not exist.
  bytes.fill(0xff, start, start + 4);
  return bytes;
}
