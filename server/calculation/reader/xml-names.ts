/** Stores and compares names of elements and attributes for the scanner. */

export interface XmlName {
  qualified: string;
  local: string;
  bytes: Uint8Array;
}

export const LT = 0x3c;
export const GT = 0x3e;
export const SLASH = 0x2f;

/** The literals that this program compares with, so that equal names are the same string object. */
const names = new Map<string, string>();

/** Returns true if a byte ends the name of an element or attribute. */
export function endsName(byte: number): boolean {
  return byte === GT || byte === SLASH || byte <= 0x20 || byte === LT;
}

export function sameBytes(name: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let at = 0; at < name.length; at++) if (name[at] !== bytes[start + at]) return false;
  return true;
}

/** Returns one string object per name, as long as there are few, so that comparing names is comparing addresses. */
export function literal(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  if (names.size < 4096 && name.length <= 40) names.set(name, name);
  return name;
}
