/**
 * LEFTB and similar functions. If the machine's language is Chinese, Japanese or Korean, wide characters count as two
 * bytes and half of one becomes a blank. In all other languages they count characters. Source: Microsoft, 'LEFT, LEFTB
 * functions' and similar pages; texts saved by Excel.
 */
import { currentRegion } from '#server/calculation/values/region/region.ts';

export const countsBytes = (): boolean => currentRegion().countsBytes;

/** Latin letters and half-width katakana are one byte wide. */
const widthOf = (unit: number): number => (unit <= 0xff || (unit >= 0xff61 && unit <= 0xff9f) ? 1 : 2);

export function byteLength(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) length += widthOf(text.charCodeAt(at));
  return length;
}

/** Returns the bytes from `start` (from 0, inclusive) to `end` (exclusive). */
export function byteSlice(text: string, start: number, end = Infinity): string {
  let result = '';
  let offset = 0;
  for (let at = 0; at < text.length && offset < end; at += 1) {
    const width = widthOf(text.charCodeAt(at));
    if (offset >= start && offset + width <= end) result += text[at]!;
    else if (offset + width > start) result += ' ';
    offset += width;
  }
  return result;
}

/** Returns the index of the first character that starts at or after a byte (from 0). */
export function characterAt(text: string, byte: number): number {
  let offset = 0;
  let at = 0;
  for (; at < text.length && offset < byte; at += 1) offset += widthOf(text.charCodeAt(at));
  return at;
}

/**
 * Returns the text after the replacement of REPLACEB: empty if it only inserts and the position is within a character.
 */
export function byteRest(text: string, start: number, count: number): string {
  const isAmid = byteLength(text.slice(0, characterAt(text, start))) !== start;
  return count === 0 && isAmid ? '' : byteSlice(text, start + count);
}
