/** Decodes the bytes of a text file. */

/** A file that cannot be read, with a message for the uploader. */
export class ImportError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ImportError';
  }
}

/**
 * Decodes a text file. A byte order mark takes precedence, then the named encoding. Otherwise the text is UTF-8 if the
 * bytes are valid UTF-8, and else Windows-1252, which Excel's own 'CSV' format uses on western systems.
 */
export function decodeText(bytes: Uint8Array, encoding: string | null): string {
  const mark = byteOrderMark(bytes);
  if (mark) return new TextDecoder(mark).decode(bytes);
  if (encoding !== null) {
    const label = encoding.toLowerCase() === 'utf-16' ? 'utf-16le' : encoding.toLowerCase();
    try {
      return new TextDecoder(label, { fatal: true }).decode(bytes);
    } catch (cause) {
      throw new ImportError(`the file is not encoded in ${encoding}`, { cause });
    }
  }
  const wide = wideEncoding(bytes);
  if (wide) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function byteOrderMark(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

/** Detects UTF-16 without a byte order mark: in western text, every other byte is then zero. */
function wideEncoding(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, 512);
  if (sample.length < 4) return null;
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]! += 1;
  const many = sample.length / 4;
  if (zeros[1]! > many && zeros[0] === 0) return 'utf-16le';
  return zeros[0]! > many && zeros[1] === 0 ? 'utf-16be' : null;
}
