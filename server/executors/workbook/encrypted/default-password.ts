/**
 * Decrypts workbooks encrypted with Excel's built-in default password. Excel uses it if it must encrypt and the user
 * set no password, and opens such files without asking, so it protects nothing. Source: [MS-OFFCRYPTO] 2.3.4 (the two
 * kinds of encryption of documents in zip archives).
 */
import { Buffer } from 'node:buffer';
import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto';
import { READER_LIMITS } from '#server/calculation/reader/reader-limits.ts';
import { WorkbookFileError } from '#server/calculation/reader/workbook-file-error.ts';
import { XmlScanner, XmlToken } from '#server/calculation/reader/xml-scanner.ts';
import { compoundStreams, isCompoundFile } from './compound-file.ts';

const PASSWORD = Buffer.from('VelvetSweatshop', 'utf16le');

const NOTHING = Buffer.alloc(0);
/** Maximum number of hashing rounds. Office writes 100,000, and always 50,000 for the older kind of encryption. */
const MAX_ROUNDS = 250_000;
const STANDARD_ROUNDS = 50_000;
const HASHES = new Set(['sha1', 'sha256', 'sha384', 'sha512']);
const SEGMENT = 4_096;
/** Length prefix before the encrypted content. */
const LENGTH_BYTES = 8;

/** Block keys of [MS-OFFCRYPTO]: the purpose of each key derived from the password. */
const BlockKey = {
  input: Buffer.from('fea7d2763b4b9e79', 'hex'),
  hash: Buffer.from('d7aa0f6d3061344e', 'hex'),
  key: Buffer.from('146e0be7abacd0d6', 'hex'),
} as const;

/**
 * Returns the zip archive inside if the default password opens it; otherwise returns the bytes unchanged, encrypted or
 * not.
 */
export function withoutDefaultPassword(bytes: Uint8Array): Uint8Array {
  if (!isCompoundFile(bytes)) return bytes;
  try {
    const stream = compoundStreams(bytes);
    const info = stream('EncryptionInfo');
    const content = stream('EncryptedPackage');
    if (!info || !content || info.length < 8 || content.length < LENGTH_BYTES) return bytes;
    const isAgile = info.readUInt16LE(0) === 4 && info.readUInt16LE(2) === 4;
    const plain = isAgile ? agile(info.subarray(8), content) : standard(info, content);
    const length = Number(content.readBigUInt64LE(0));
    return plain === null || length > plain.length ? bytes : plain.subarray(0, length);
  } catch (error) {
    // Truncated parts, or values that no cipher accepts: treat the file as one that cannot be opened.
    if (error instanceof RangeError || error instanceof TypeError || error instanceof WorkbookFileError) return bytes;
    throw error;
  }
}

function hash(algorithm: string, first: Buffer, second: Buffer = NOTHING): Buffer {
  return createHash(algorithm).update(first).update(second).digest();
}

const number32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

function hashedPassword(algorithm: string, salt: Buffer, rounds: number): Buffer {
  const number = Buffer.alloc(4);
  let result = hash(algorithm, salt, PASSWORD);
  for (let round = 0; round < rounds; round += 1) {
    number.writeUInt32LE(round);
    result = hash(algorithm, number, result);
  }
  return result;
}

/** Truncates or pads to `length`. */
const sized = (bytes: Buffer, length: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc(Math.max(0, length - bytes.length), 0x36)]).subarray(0, length);

function decrypted(key: Buffer, vector: Buffer | null, content: Buffer): Buffer {
  const cipher = createDecipheriv(`aes-${key.length * 8}-${vector ? 'cbc' : 'ecb'}`, key, vector);
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(content), cipher.final()]);
}

const isSame = (a: Buffer, b: Buffer): boolean => a.length > 0 && a.length === b.length && timingSafeEqual(a, b);

interface Encryption {
  salt: Buffer;
  blockBytes: number;
  keyBytes: number;
  hashName: string;
}

function encryptionIn(xml: XmlScanner): Encryption | null {
  const hashName = (xml.attribute('hashAlgorithm') ?? '').toLowerCase().replace('-', '');
  const keyBytes = Number(xml.attribute('keyBits')) / 8;
  const isKnown =
    xml.attribute('cipherAlgorithm') === 'AES' &&
    xml.attribute('cipherChaining') === 'ChainingModeCBC' &&
    [16, 24, 32].includes(keyBytes) &&
    HASHES.has(hashName);
  if (!isKnown) return null;
  const blockBytes = Number(xml.attribute('blockSize'));
  return { salt: base64(xml, 'saltValue'), blockBytes, keyBytes, hashName };
}

const base64 = (xml: XmlScanner, name: string): Buffer => Buffer.from(xml.attribute(name) ?? '', 'base64');

/**
 * Decrypts files of Office 2010 and later: described by XML, in segments of 4096 bytes. Returns null if the password
 * does not open the file.
 */
function agile(info: Buffer, content: Buffer): Buffer | null {
  let data: Encryption | null = null;
  let key: Buffer | null = null;
  const xml = new XmlScanner(info, 'EncryptionInfo', READER_LIMITS);
  for (let token = xml.next(); token !== XmlToken.End; token = xml.next()) {
    if (token !== XmlToken.Open) continue;
    if (xml.name === 'keyData') data = encryptionIn(xml);
    else if (xml.name === 'encryptedKey') key ??= keyBehindPassword(xml);
  }
  if (!data || !key || data.blockBytes !== 16) return null;
  const segments: Buffer[] = [];
  const body = content.subarray(LENGTH_BYTES);
  for (let at = 0; at < body.length; at += SEGMENT) {
    const vector = sized(hash(data.hashName, data.salt, number32(at / SEGMENT)), data.blockBytes);
    const segment = body.subarray(at, at + SEGMENT);
    segments.push(decrypted(key, vector, segment.subarray(0, segment.length - (segment.length % 16))));
  }
  return Buffer.concat(segments);
}

function keyBehindPassword(xml: XmlScanner): Buffer | null {
  const encryption = encryptionIn(xml);
  const rounds = Number(xml.attribute('spinCount'));
  if (!encryption || encryption.blockBytes !== 16 || !(rounds >= 0 && rounds <= MAX_ROUNDS)) return null;
  const { salt, keyBytes, hashName } = encryption;
  const password = hashedPassword(hashName, salt, rounds);
  const open = (name: string, purpose: Buffer): Buffer =>
    decrypted(sized(hash(hashName, password, purpose), keyBytes), sized(salt, 16), base64(xml, name));
  const input = open('encryptedVerifierHashInput', BlockKey.input).subarray(0, Number(xml.attribute('saltSize')));
  const expected = hash(hashName, input);
  if (!isSame(open('encryptedVerifierHashValue', BlockKey.hash).subarray(0, expected.length), expected)) return null;
  return open('encryptedKeyValue', BlockKey.key).subarray(0, keyBytes);
}

/**
 * Decrypts files of Office 2007. Returns null if the password does not open the file, or its encryption is of an older
 * kind.
 */
function standard(info: Buffer, content: Buffer): Buffer | null {
  const AES = new Map([
    [0x660e, 16],
    [0x660f, 24],
    [0x6610, 32],
  ]);
  const keyBytes = AES.get(info.readUInt32LE(20));
  if (info.readUInt16LE(2) !== 2 || keyBytes === undefined) return null;
  const verifier = info.subarray(12 + info.readUInt32LE(8));
  const password = hashedPassword('sha1', verifier.subarray(4, 20), STANDARD_ROUNDS);
  const last = hash('sha1', password, number32(0));
  const spread = (fill: number): Buffer => {
    const block = Buffer.alloc(64, fill);
    for (let at = 0; at < last.length; at += 1) block[at]! ^= last[at]!;
    return hash('sha1', block);
  };
  const key = Buffer.concat([spread(0x36), spread(0x5c)]).subarray(0, keyBytes);
  const expected = hash('sha1', decrypted(key, null, verifier.subarray(20, 36)));
  if (!isSame(decrypted(key, null, verifier.subarray(40, 72)).subarray(0, expected.length), expected)) return null;
  const body = content.subarray(LENGTH_BYTES);
  return decrypted(key, null, body.subarray(0, body.length - (body.length % 16)));
}
