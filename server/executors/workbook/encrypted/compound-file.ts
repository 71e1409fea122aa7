/** Reads streams of a compound file, in which Office stores encrypted documents. Source: [MS-CFB]. */
import { Buffer } from 'node:buffer';

const SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const HEADER_BYTES = 512;
/** Number of allocation table sectors that the header itself lists. */
const HEADER_SECTORS = 109;
/** Sector numbers from here on end a chain or stand for no sector. */
const FIRST_MARK = 0xffff_fffa;
const DIRECTORY_ENTRY = 128;
const MINI_SECTOR = 64;
const STREAM = 2;
const ROOT = 5;
/** Maximum number of entries read; an Office document has a few dozen. */
const MAX_ENTRIES = 4_096;

interface Entry {
  name: string;
  type: number;
  start: number;
  size: number;
}

export const isCompoundFile = (bytes: Uint8Array): boolean =>
  bytes.length >= HEADER_BYTES && Buffer.from(bytes.buffer, bytes.byteOffset, SIGNATURE.length).equals(SIGNATURE);

/**
 * Returns a function that finds a stream by name in any folder of the file. It returns null if there is no such stream
 * or the file is damaged.
 */
export function compoundStreams(bytes: Uint8Array): (name: string) => Buffer | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const shift = file.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) return () => null;
  const size = 1 << shift;
  const sector = (number: number): Buffer => file.subarray((number + 1) * size, (number + 2) * size);
  const next = allocationTable(file, sector, size);
  const follow = (start: number): Buffer => joined(start, next, sector, Math.ceil(file.length / size));
  const entries = entriesOf(follow(file.readUInt32LE(48)));
  const shortest = file.readUInt32LE(56);
  const root = entries.find(({ type }) => type === ROOT);
  return (name) => {
    const entry = entries.find((candidate) => candidate.type === STREAM && candidate.name === name);
    if (!entry || entry.size > file.length) return null;
    let content: Buffer;
    if (entry.size >= shortest) content = follow(entry.start);
    else {
      const container = root ? follow(root.start) : Buffer.alloc(0);
      const nextMini = numbersOf(follow(file.readUInt32LE(60)));
      const mini = (number: number): Buffer => container.subarray(number * MINI_SECTOR, (number + 1) * MINI_SECTOR);
      content = joined(entry.start, nextMini, mini, Math.ceil(container.length / MINI_SECTOR));
    }
    return content.length < entry.size ? null : content.subarray(0, entry.size);
  };
}

function numbersOf(bytes: Buffer): number[] {
  const numbers: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) numbers.push(bytes.readUInt32LE(at));
  return numbers;
}

/** Maps each sector to the next one in its chain. */
function allocationTable(file: Buffer, sector: (number: number) => Buffer, size: number): number[] {
  const maxSectors = Math.ceil(file.length / size);
  const sectorNumbers = numbersOf(file.subarray(76, 76 + 4 * HEADER_SECTORS));
  // A longer list continues in separate sectors; the last number of each is the next sector.
  for (let at = file.readUInt32LE(68), seen = 0; at < FIRST_MARK && seen < maxSectors; seen += 1) {
    const numbers = numbersOf(sector(at));
    at = numbers.pop() ?? FIRST_MARK;
    sectorNumbers.push(...numbers);
  }
  return sectorNumbers
    .filter((number) => number < FIRST_MARK)
    .slice(0, maxSectors)
    .flatMap((number) => numbersOf(sector(number)));
}

/** Concatenates the sectors of a chain. The limit `most` ends cyclic chains. */
function joined(
  start: number,
  next: readonly number[],
  sector: (number: number) => Buffer,
  maxSectors: number,
): Buffer {
  const sectors: Buffer[] = [];
  for (let at = start; at < FIRST_MARK && sectors.length < maxSectors; at = next[at] ?? FIRST_MARK)
    sectors.push(sector(at));
  return Buffer.concat(sectors);
}

function entriesOf(directory: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at + DIRECTORY_ENTRY <= directory.length && entries.length < MAX_ENTRIES; at += DIRECTORY_ENTRY) {
    const nameBytes = directory.readUInt16LE(at + 64);
    entries.push({
      name: directory.toString('utf16le', at, at + Math.min(64, Math.max(0, nameBytes - 2))),
      type: directory[at + 66]!,
      start: directory.readUInt32LE(at + 116),
      size: directory.readUInt32LE(at + 120) + directory.readUInt32LE(at + 124) * 2 ** 32,
    });
  }
  return entries;
}
