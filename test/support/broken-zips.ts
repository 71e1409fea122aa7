/** Zip archives that cannot be opened, each in its own way. */
import { Buffer } from 'node:buffer';
import { rawZip, type RawEntry } from './raw-zip.ts';

export interface BrokenZip {
  what: 'truncated' | 'corrupted' | 'encrypted' | 'bomb';
  bytes: Buffer;
}

/** Words of the libraries that read archives: no person is to see any of them. */
export const LIBRARY_WORDS =
  /central directory|unexpected e|invalid (?:distance|code|block|stored|bit|literal)|incorrect|signature|buffer error|zlib|decrypt|too many (?:length|bytes)|EOF|options\./i;

/** @param parts of a whole archive; the first one is broken. `bomb` is what unzips to more than any reader takes. */
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

/** With other bytes in the place of the compressed data of its first part. */
function corrupted(whole: Buffer, path: string): Buffer {
  const bytes = Buffer.from(whole);
  const start = 30 + Buffer.byteLength(path);
  // a block of a kind that does not exist
  bytes.fill(0xff, start, start + 4);
  return bytes;
}
