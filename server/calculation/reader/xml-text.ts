/** Text of XML parts: encodings, entities, line ends, and Excel's own escapes. */
import { damaged, WorkbookFileError } from './workbook-file-error.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Decodes the bytes [start, end) as text, without touching entities. */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start;
  if (length === 0) return '';
  if (length === 1 && bytes[start]! < 0x80) return String.fromCharCode(bytes[start]!);
  return utf8.decode(bytes.subarray(start, end));
}

export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/**
 * Replaces character references and XML's five predefined entities. Refuses all other entities: they would need a DTD,
 * which no spreadsheet program writes.
 */
export function decodeEntities(text: string, part: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&<]{0,32})(;?)/g, (whole, name: string, semicolon: string) => {
    if (semicolon === '') throw damaged(`${part} has an '&' that does not start an entity`);
    const named = NAMED_ENTITIES.get(name);
    if (named !== undefined) return named;
    const code = /^#x([0-9a-fA-F]{1,8})$/.exec(name);
    const point = code ? Number.parseInt(code[1]!, 16) : /^#\d{1,10}$/.test(name) ? Number(name.slice(1)) : -1;
    if (point >= 0 && point <= 0x10ffff) return String.fromCodePoint(point);
    throw new WorkbookFileError(
      'forbiddenXml',
      `The workbook was rejected: ${part} uses the XML entity '${whole}', which no spreadsheet program writes.`,
    );
  });
}

/** Normalizes line ends as XML does: CR LF and a lone CR become LF (XML 1.0, 2.11). */
export function normaliseLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/**
 * Decodes Excel's escapes of characters that XML cannot hold: '_x000D_' is a carriage return (ECMA-376 part 1,
 * 22.9.2.19, ST_Xstring).
 */
export function decodeExcelEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-fA-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/**
 * Returns a part as UTF-8 without byte order mark. Nearly all parts are UTF-8 already, and their bytes are returned
 * unchanged. UTF-16 and the old one-byte encodings that some exporters declare are converted, including their
 * declaration.
 */
export function toUtf8(bytes: Uint8Array, part: string): Uint8Array {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.subarray(3);
  const label = utf16Label(bytes) ?? declaredEncoding(bytes);
  if (label === null || label === 'utf-8' || label === 'utf8' || label === 'us-ascii' || label === 'ascii')
    return bytes;
  let text: string;
  try {
    text = new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch (error) {
    throw damaged(`${part} is in the encoding '${label}', which cannot be read`, { cause: error });
  }
  return encodeUtf8(text.replace(/^<\?xml[^>]*\?>/, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'));
}

function utf16Label(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  return null;
}

function declaredEncoding(bytes: Uint8Array): string | null {
  if (bytes[0] !== 0x3c || bytes[1] !== 0x3f) return null;
  const head = decodeUtf8(bytes, 0, Math.min(bytes.length, 200));
  const match = /^<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["'][^>]*\?>/.exec(head);
  return match ? match[1]!.toLowerCase() : null;
}
