/**
 * LEFTB and its like, where Chinese, Japanese or Korean is the language of the machine: wide characters count as two, and half of
 * one is a blank. Everywhere else they count characters. Source: Microsoft, 'LEFT, LEFTB functions' and its like; texts Excel saved.
 */
import { currentRegion } from '#server/calculation/values/region/region.ts';

export const countsBytes = (): boolean => currentRegion().countsBytes;

/** Latin letters and half-width katakana are one byte. */
const widthOf = (unit: number): number => (unit <= 0xff || (unit >= 0xff61 && unit <= 0xff9f) ? 1 : 2);

export function byteLength(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) length += widthOf(text.charCodeAt(at));
  return length;
}

/** Bytes from `start` (from 0) to before `end`. */
export function byteSlice(text: string, start: number, end = Infinity): string {
  let result = '';
  let place = 0;
  for (let at = 0; at < text.length && place < end; at += 1) {
    const width = widthOf(text.charCodeAt(at));
    if (place >= start && place + width <= end) result += text[at]!;
    else if (place + width > start) result += ' ';
    place += width;
  }
  return result;
}

/** The character a byte (from 0) belongs to, or begins after it. */
export function characterAt(text: string, byte: number): number {
  let place = 0;
  let at = 0;
  for (; at < text.length && place < byte; at += 1) place += widthOf(text.charCodeAt(at));
  return at;
}

/** What REPLACEB leaves behind the new text: nothing where it only inserts, and amid a character. */
export function byteRest(text: string, start: number, count: number): string {
  const isAmid = byteLength(text.slice(0, characterAt(text, start))) !== start;
  return count === 0 && isAmid ? '' : byteSlice(text, start + count);
}
