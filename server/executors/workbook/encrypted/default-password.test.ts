import { Buffer } from 'node:buffer';
import { createCipheriv, createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { withoutDefaultPassword } from './default-password.ts';

const DEFAULT = 'VelvetSweatshop';
const FREE = 0xffff_ffff;
const END = 0xffff_fffe;
const TABLE = 0xffff_fffd;
const ROUNDS = 1_000;

/** Begins like a zip archive, spans more than one segment, and is not a multiple of a block. */
const ARCHIVE = Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(9_001, 'workbook')]);

const sha = (algorithm: string, ...parts: Buffer[]): Buffer =>
  createHash(algorithm).update(Buffer.concat(parts)).digest();
const number32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};
const filled = (bytes: Buffer, size: number, fill = 0): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((size - (bytes.length % size)) % size, fill)]);

function encrypted(key: Buffer, vector: Buffer | null, content: Buffer): Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-${vector ? 'cbc' : 'ecb'}`, key, vector);
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(filled(content, 16)), cipher.final()]);
}

function length64(content: Buffer): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(content.length));
  return bytes;
}

/**
 * Sectors in order: the allocation table, the directory, the mini allocation table, the mini stream, and the large
 * stream.
 */
function compoundFile(info: Buffer, content: Buffer): Buffer {
  const small = filled(filled(info, 64), 512);
  const large = filled(content, 512);
  const chain = (from: number, count: number): number[] =>
    Array.from({ length: count }, (_, index) => (index === count - 1 ? END : from + index + 1));
  const largeAt = 3 + small.length / 512;
  const table = [TABLE, END, END, ...chain(3, small.length / 512), ...chain(largeAt, large.length / 512)];
  const sector = (numbers: number[]): Buffer =>
    Buffer.concat(Array.from({ length: 128 }, (_, index) => number32(numbers[index] ?? FREE)));
  const entry = (name: string, type: number, start: number, size: number): Buffer => {
    const bytes = Buffer.alloc(128);
    bytes.write(name, 'utf16le');
    bytes.writeUInt16LE(name.length * 2 + 2, 64);
    bytes[66] = type;
    bytes.writeUInt32LE(start, 116);
    bytes.writeUInt32LE(size, 120);
    return bytes;
  };
  const header = Buffer.alloc(512, 0xff);
  header.write('d0cf11e0a1b11ae1', 0, 'hex');
  header.writeUInt16LE(9, 30);
  for (const [at, value] of [
    [48, 1],
    [56, 4_096],
    [60, 2],
    [68, END],
    [76, 0],
  ] as const)
    header.writeUInt32LE(value, at);
  return Buffer.concat([
    header,
    sector(table),
    entry('Root Entry', 5, 3, small.length),
    entry('EncryptionInfo', 2, 0, info.length),
    entry('EncryptedPackage', 2, largeAt, content.length),
    Buffer.alloc(128),
    sector(chain(0, Math.ceil(info.length / 64))),
    small,
    large,
  ]);
}

function agile(password: string, { algorithm = 'sha512', keyBits = 256, cipher = 'AES' } = {}): Buffer {
  const salt = Buffer.alloc(16, 7);
  const secret = Buffer.alloc(keyBits / 8, 9);
  const input = Buffer.alloc(16, 5);
  let hashed = sha(algorithm, salt, Buffer.from(password, 'utf16le'));
  for (let round = 0; round < ROUNDS; round += 1) hashed = sha(algorithm, number32(round), hashed);
  const locked = (purpose: string, content: Buffer): string => {
    const made = Buffer.concat([sha(algorithm, hashed, Buffer.from(purpose, 'hex')), Buffer.alloc(32, 0x36)]);
    return encrypted(made.subarray(0, keyBits / 8), salt, content).toString('base64');
  };
  const kind =
    `saltSize="16" blockSize="16" keyBits="${keyBits}" hashSize="64" cipherAlgorithm="${cipher}" ` +
    `cipherChaining="ChainingModeCBC" hashAlgorithm="${algorithm.toUpperCase()}" saltValue="${salt.toString('base64')}"`;
  const xml =
    `<encryption xmlns="e" xmlns:p="p"><keyData ${kind}/><keyEncryptors><keyEncryptor><p:encryptedKey spinCount="${ROUNDS}" ${kind} ` +
    `encryptedVerifierHashInput="${locked('fea7d2763b4b9e79', input)}" ` +
    `encryptedVerifierHashValue="${locked('d7aa0f6d3061344e', sha(algorithm, input))}" ` +
    `encryptedKeyValue="${locked('146e0be7abacd0d6', secret)}"/></keyEncryptor></keyEncryptors></encryption>`;
  const segments: Buffer[] = [];
  for (let at = 0; at < ARCHIVE.length; at += 4_096) {
    const vector = sha(algorithm, salt, number32(at / 4_096)).subarray(0, 16);
    segments.push(encrypted(secret, vector, ARCHIVE.subarray(at, at + 4_096)));
  }
  const info = Buffer.concat([Buffer.from('0400040040000000', 'hex'), Buffer.from(xml)]);
  return compoundFile(info, Buffer.concat([length64(ARCHIVE), ...segments]));
}

function standard(password: string, major = 4): Buffer {
  const salt = Buffer.alloc(16, 3);
  let hashed = sha('sha1', salt, Buffer.from(password, 'utf16le'));
  for (let round = 0; round < 50_000; round += 1) hashed = sha('sha1', number32(round), hashed);
  const last = sha('sha1', hashed, number32(0));
  const key = sha('sha1', Buffer.from(Array.from({ length: 64 }, (_, at) => 0x36 ^ (last[at] ?? 0)))).subarray(0, 16);
  const input = Buffer.alloc(16, 1);
  const header = Buffer.alloc(32);
  header.writeUInt32LE(0x660e, 8);
  const verifier = Buffer.concat([number32(16), salt, encrypted(key, null, input), number32(20)]);
  const check = encrypted(key, null, filled(sha('sha1', input), 32));
  const version = Buffer.from([major, 0, 2, 0, 0x24, 0, 0, 0]);
  const info = Buffer.concat([version, number32(header.length), header, verifier, check]);
  return compoundFile(info, Buffer.concat([length64(ARCHIVE), encrypted(key, null, ARCHIVE)]));
}

describe('a workbook encrypted by the password Excel uses when nobody has set one', () => {
  it.each([
    ['of Office 2013', agile(DEFAULT)],
    ['of Office 2010', agile(DEFAULT, { algorithm: 'sha1', keyBits: 128 })],
    ['of Office 2007', standard(DEFAULT)],
  ])('opens without asking: %s', (_what, bytes) => {
    expect(Buffer.from(withoutDefaultPassword(bytes)).equals(ARCHIVE)).toBe(true);
  });

  it.each([
    ['another password', agile('secret')],
    ['another password of the older kind', standard('secret')],
    ['another cipher', agile(DEFAULT, { cipher: 'DES' })],
    ['a zip archive', ARCHIVE],
    ['nothing', Buffer.alloc(0)],
    ['a header alone', compoundFile(Buffer.alloc(9), ARCHIVE).subarray(0, 512)],
  ])('is left as it is where it is not that: %s', (_what, bytes) => {
    expect(withoutDefaultPassword(bytes)).toBe(bytes);
  });

  it('does no harm wherever it is cut off or overwritten', () => {
    const whole = agile(DEFAULT);
    for (let at = 0; at < 9_000; at += 97) {
      const cut = whole.subarray(0, at);
      expect(withoutDefaultPassword(cut)).toBe(cut);
    }
    // Cyclic chains, and numbers beyond the end of the file.
    for (const number of [0, 1, 3, 0x7fff_ffff]) {
      const changed = Buffer.from(whole);
      for (let at = 512; at < 1_024; at += 4) changed.writeUInt32LE(number, at);
      expect(withoutDefaultPassword(changed).length).toBeLessThanOrEqual(changed.length);
    }
  });
});
